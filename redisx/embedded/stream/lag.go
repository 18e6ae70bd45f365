package stream

// UnknownEntriesRead is a group's count of entries read when it cannot be known.
const UnknownEntriesRead = -1

// holesAfter says whether an entry at or after id may have been deleted from the middle, so that
// ids can no longer be counted.
func (s *Stream) holesAfter(id ID) bool {
	return s.length > 0 && !s.maxDeleted.IsZero() && !s.maxDeleted.Less(id)
}

// EntriesReadAt is how many entries were ever added up to and with id, where that can be told:
// UnknownEntriesRead for an id in the middle, in the future, or before a deleted entry.
func (s *Stream) EntriesReadAt(id ID) int64 {
	if s.added == 0 {
		return 0
	}
	if s.length == 0 && !s.last.Less(id) {
		return s.added
	}
	if !id.IsZero() && id.Less(s.maxDeleted) {
		return UnknownEntriesRead
	}
	switch id.Compare(s.last) {
	case 0:
		return s.added
	case 1:
		return UnknownEntriesRead
	}
	if !s.maxDeleted.IsZero() && !s.maxDeleted.Less(s.first) {
		return UnknownEntriesRead
	}
	switch id.Compare(s.first) {
	case -1:
		return s.added - int64(s.length)
	case 0:
		return s.added - int64(s.length) + 1
	}
	return UnknownEntriesRead
}

// Lag is how many entries the group has not been given yet. It is not known (ok is false) after
// entries were deleted ahead of the group, or for a group put at an id in the middle.
func (s *Stream) Lag(g *Group) (lag int64, ok bool) {
	if s.added == 0 || s.length == 0 {
		return 0, true
	}
	if g.lastID.Less(s.first) && s.maxDeleted.Less(s.first) {
		return int64(s.length), true
	}
	if g.entriesRead != UnknownEntriesRead && !s.holesAfter(g.lastID) {
		return s.added - g.entriesRead, true
	}
	if read := s.EntriesReadAt(g.lastID); read != UnknownEntriesRead {
		return s.added - read, true
	}
	return 0, false
}

// advance moves the group's cursor to an entry it is being given, and its count along with it.
func (s *Stream) advance(g *Group, id ID) {
	if !g.lastID.Less(id) {
		return
	}
	if g.entriesRead != UnknownEntriesRead && !g.lastID.Less(s.first) && !s.holesAfter(g.lastID) {
		g.entriesRead++
	} else if s.added > 0 {
		g.entriesRead = s.EntriesReadAt(id)
	}
	g.lastID = id
}
