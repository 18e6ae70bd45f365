// Package learn is the screen of a lesson: the story and the step's command left, the server's state
// right, and what the command changed, beside what the learner predicted, below.
//
// The screen does no I/O. It reads what a lessons.Session tells, turns intents into requests for the
// program (Do), and draws (View). What it draws of workers, ledger and pending entries comes from the
// server's State alone, never from the lesson's script.
//
// It imports the widgets, draw, theme, text, layout, intent, lessons and redisx/state; no client, no
// Bubble Tea.
package learn
