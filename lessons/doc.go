// Package lessons is the curriculum's machine: a lesson as data, loading it, running it step by step
// on a real server, judging what the learner predicted and reached, undoing, checking, and keeping
// progress.
//
// A lesson is a folder with lesson.yaml (structure and commands) and a file of words for each
// language. It has no code in it; what it can say is the closed vocabulary of this package:
//
//	lesson.go   the shape of a lesson
//	cell.go     cells: what can be predicted and asked about a State, such as deliveries(1-0)
//	cond.go     conditions over cells, changes, replies and commands
//
// What a lesson shows is always what the server did. The package knows no screen: the terminal
// program, the check without a screen and later the plain way all drive the same Session.
//
// It may import redisx and nothing of ui; it never imports Bubble Tea.
package lessons
