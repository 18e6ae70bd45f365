package private

import "net/url"

// URL is the server's address as Redis clients read it. It holds the password: it is not for showing.
func (s *Server) URL() string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", s.Password()), Host: s.Addr()}
	if s.Network() == "unix" {
		u = url.URL{Scheme: "unix", User: u.User, Path: s.Addr()}
	}
	return u.String()
}
