// Package assets holds what is built into the program: the lessons, with their words in each language.
//
// It has data and no code, and imports nothing of ours; main and the commands hand its file systems to
// whoever reads them, so that a folder on disk can take their place.
package assets

import "embed"

// Lessons is the curriculum: a folder for each lesson under "lessons", as lessons.LoadAll reads it.
//
//go:embed lessons
var Lessons embed.FS
