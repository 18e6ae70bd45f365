// Package ui is the terminal program: the only place that knows Bubble Tea.
//
//	app.go      the model: routes messages and intents to screens; no drawing of its own but the frame
//	msg.go      every message
//	cmd.go      every command: all I/O is here
//	…           one file for what each screen asks of the program
//
// Data flows one way: key → intent → screen → request → command → message → screen → view. Looking has
// back-pressure built in: request, answer, tick, request; never two in flight, and an answer of an older
// generation is dropped. Time comes in messages.
//
// It imports the screens, the lessons and redisx; only main and ui/cli import it.
package ui
