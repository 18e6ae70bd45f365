// Package cli is the command line: the subcommands, their flags, plain output, and exit statuses. It is
// the edge between the world (arguments, environment, terminal, clock, signals) and the rest.
//
// Exit status: 0 when all went well, 1 when a check found differences or the program failed, 2 when a
// server, flag or lesson named on the command line was wrong; the last before the screen is touched.
//
// It may import everything of ours; only main imports it.
package cli
