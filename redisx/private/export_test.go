package private

// WatcherPID is the process id of the watcher, for tests that kill it.
func (s *Server) WatcherPID() int { return s.watcher.Process.Pid }

// Dir is the server's folder.
func (s *Server) Dir() string { return s.plan.Dir }
