// Package servertest gives tests the real servers that are on this machine.
//
// A test asks for one server ([One]), for all of them in turn ([Each]), or for a new process of its
// own ([Fresh]). What it gets is its alone until it ends, empty, and as configured at the start. Behind that stands one process per
// program and test binary (more only while tests run in parallel), ended by [Main]:
//
//	func TestMain(m *testing.M) { servertest.Main(m) }
//
// Servers are looked for on PATH and in PELSCOPE_SERVERS (paths, separated as PATH is). With none, tests are skipped;
// but with PELSCOPE_REQUIRE_SERVERS=1 they fail, and with a list such as PELSCOPE_REQUIRE_SERVERS=7.0,8.6,valkey
// they fail when one of those is missing.
//
// For tests only. It may import redisx/private and go-redis.
package servertest
