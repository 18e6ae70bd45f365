package embedded

// scripts is what SCRIPT LOAD and EVAL have cached, by SHA1.
type scripts struct{ sources map[string]string }

func (s *scripts) len() int { return len(s.sources) }
