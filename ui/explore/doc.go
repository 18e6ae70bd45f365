// Package explore is the explorer: a read-only window on one stream, its groups, their cursors and what
// is pending.
//
// The screen does no I/O. It says what it wants to look at next (Look), is told what was seen
// (Observed), turns intents into requests (Do), and draws (View). Everything it shows is a view of the
// last State, and its log of changes is the Diff of the last two.
//
// It imports the widgets, draw, theme, text, layout, intent and redisx/state; no client, no Bubble Tea.
package explore
