// Package theme holds every colour and every glyph of the screen in one value.
//
// Styles are named by what they say (Pending, Warn, Key), never by how they look, and are worked out
// once, so that drawing is a matter of writing strings. Colour never carries meaning alone: whatever a
// colour says, a glyph or a word says too, and the theme None (NO_COLOR) has only bold, underline and
// reverse.
//
// It imports draw only, and knows nothing of Redis; widgets and screens import it.
package theme
