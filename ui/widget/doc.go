// Package widget holds the parts that panes are built of: table, log, input, gauge, sparkline, and our
// own texts set in lines. (The tape is in widget/tape.)
//
// A widget is a struct with methods, not a tea.Model. It is told its size, its data and what the user
// wants (Move, Page, Home), and its View, which changes nothing that one could notice, gives a
// draw.Block of exactly that size; an unchanged widget gives the same block again without drawing it
// anew. Selection and scroll are kept by key, so that data may change under them.
//
// All text given to a widget is clean (theme.Clean) and may hold SGR sequences that end what they begin.
// It imports draw and theme; screens import it. It never reads a clock.
package widget
