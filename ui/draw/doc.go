// Package draw is the bottom of the screen: text measured in terminal columns, and blocks of it that
// are exactly as wide as they say.
//
// Width is never in doubt. A grapheme cluster whose width terminals disagree about is escaped, and
// so is every byte that could do more than be seen: Clean is the one cleaner for everything that came
// from a server or a user. Fit and the blocks made with it escape what slipped through as well, so
// that a forgotten Clean can bend no border and reach no clipboard.
//
// Everything here is pure and knows neither colours (package theme) nor Redis. It may import nothing
// of ours; theme, widget and the screens import it.
package draw
