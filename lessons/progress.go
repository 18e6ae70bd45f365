package lessons

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"
)

// Progress is what a learner has done, by lesson and step id, kept in a file of its own. It may be used
// from several goroutines, and several programs may use the same folder at once: each change is made
// to what the file holds at that moment.
type Progress struct {
	dir string // empty: in memory only

	mu        sync.Mutex
	data      progressData
	unwritten []func(*progressData) // changes that could not be written; they go with the next
	broken    []error
}

// progressData is the file. A newer program that needs another form counts version up.
type progressData struct {
	Version int                       `json:"version"`
	Lessons map[string]LessonProgress `json:"lessons"`
}

// LessonProgress is what was done of one lesson.
type LessonProgress struct {
	Steps map[string]StepProgress `json:"steps"`
}

// StepProgress is what was done of one step or challenge. Times are UTC, to the millisecond; a zero
// time means never.
type StepProgress struct {
	First        time.Time `json:"first,omitzero"`         // done for the first time
	Last         time.Time `json:"last,omitzero"`          // done the last time
	SolutionSeen time.Time `json:"solution_seen,omitzero"` // a challenge's solution was first looked at
	Answers      []Answer  `json:"answers,omitempty"`      // what was predicted the last time that anything was
}

// Answer is one prediction.
type Answer struct {
	Key   string `json:"key"`             // the cell, such as deliveries(1-0), or the key of the question
	Given string `json:"given,omitempty"` // as typed, or the option's key; empty: "don't know"
	Right bool   `json:"right"`
}

// Done says whether the step was ever done.
func (s StepProgress) Done() bool { return !s.First.IsZero() }

// Unaided says whether a challenge was solved before its solution was looked at.
func (s StepProgress) Unaided() bool {
	return s.Done() && (s.SolutionSeen.IsZero() || s.First.Before(s.SolutionSeen))
}

// OpenProgress opens the progress kept in the folder dir; StateDir says which that is. When there is none it
// is made with the first thing to keep: who only watches a server leaves no trace here either. With an empty
// dir nothing is kept on disk.
//
// A file that cannot be read is kept aside under another name; Broken then tells. A file of a newer
// program is left alone and is a *NewerProgressError. With an error too the Progress can be used: it
// keeps everything in memory and tries to write it each time.
func OpenProgress(dir string) (*Progress, error) {
	p := &Progress{dir: dir, data: emptyProgress()}
	if dir == "" {
		return p, nil
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	return p, p.change(nil)
}

// Broken tells which files could not be read and where they are kept, as a *BrokenProgressError or
// several joined; nil when all was well.
func (p *Progress) Broken() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.broken...)
}

// StepDone notes that a step was gone through at this time, and what was predicted. Without answers
// those of an earlier time stay.
func (p *Progress) StepDone(lesson, step string, at time.Time, answers ...Answer) error {
	return p.changeStep(lesson, step, func(s *StepProgress) {
		s.done(at)
		if len(answers) > 0 {
			s.Answers = slices.Clone(answers)
		}
	})
}

// ChallengeDone notes that every goal of a challenge was reached at this time.
func (p *Progress) ChallengeDone(lesson, step string, at time.Time) error {
	return p.changeStep(lesson, step, func(s *StepProgress) { s.done(at) })
}

// SolutionSeen notes that a challenge's solution was looked at.
func (p *Progress) SolutionSeen(lesson, step string, at time.Time) error {
	return p.changeStep(lesson, step, func(s *StepProgress) {
		if s.SolutionSeen.IsZero() {
			s.SolutionSeen = stamp(at)
		}
	})
}

// Reset forgets what was done of a lesson.
func (p *Progress) Reset(lesson string) error {
	return p.change(func(d *progressData) { delete(d.Lessons, lesson) })
}

// Of is what was done of a lesson, as last read or written here.
func (p *Progress) Of(lesson string) LessonProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := LessonProgress{Steps: maps.Clone(p.data.Lessons[lesson].Steps)}
	if out.Steps == nil {
		out.Steps = map[string]StepProgress{}
	}
	for id, s := range out.Steps {
		s.Answers = slices.Clone(s.Answers)
		out.Steps[id] = s
	}
	return out
}

func (s *StepProgress) done(at time.Time) {
	if s.First.IsZero() {
		s.First = stamp(at)
	}
	s.Last = stamp(at)
}

func stamp(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }

func (p *Progress) changeStep(lesson, step string, f func(*StepProgress)) error {
	return p.change(func(d *progressData) {
		l := d.Lessons[lesson]
		if l.Steps == nil {
			l.Steps = map[string]StepProgress{}
		}
		s := l.Steps[step]
		f(&s)
		l.Steps[step] = s
		d.Lessons[lesson] = l
	})
}

// change makes a change to what the file holds now, and writes it; with a nil f it only reads.
func (p *Progress) change(f func(*progressData)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f != nil {
		f(&p.data)
	}
	if p.dir == "" {
		return nil
	}
	if f != nil {
		p.unwritten = append(p.unwritten, f)
	}
	now, broken, err := changeFile(p.dir, p.data, p.unwritten)
	if broken != nil {
		p.broken = append(p.broken, broken)
	}
	if err != nil {
		return err
	}
	p.data, p.unwritten = now, nil
	return nil
}

func emptyProgress() progressData {
	return progressData{Version: progressVersion, Lessons: map[string]LessonProgress{}}
}
