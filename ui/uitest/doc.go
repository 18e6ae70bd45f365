// Package uitest runs the whole program on a virtual screen under a virtual clock.
//
// A test calls synctest.Test, starts a model with Start, presses keys, lets time pass with Advance and
// reads the screen as a person would see it:
//
//	synctest.Test(t, func(t *testing.T) {
//		s := uitest.Start(t, model, uitest.Size(120, 36))
//		s.Press("j", "enter")
//		s.WaitFor("consumer-a")
//		s.Golden("opened")
//	})
//
// The terminal is a real emulator: what the program writes is interpreted, and what a terminal answers
// is answered. A minute of virtual time costs milliseconds. For tests only; it imports nothing of ours.
package uitest
