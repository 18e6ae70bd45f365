package embedded

// hash is a hash: fields with their values, in the order in which the fields came.
type hash struct {
	fields *ordered[string]
	bytes  int64 // of the values
	big    bool  // no longer a listpack; never one again
}

func newHash() *hash { return &hash{fields: newOrdered[string]()} }

func (h *hash) size() int64 {
	return h.fields.bytes + h.bytes + int64(h.fields.len())*entryOverhead
}

// put stores a field and says whether it is new.
func (h *hash) put(field, value string) bool {
	old, _ := h.fields.get(field)
	h.bytes += int64(len(value) - len(old))
	isNew := h.fields.put(field, value)
	if h.fields.len() > 512 || len(field) > 64 || len(value) > 64 {
		h.big = true
	}
	return isNew
}

func (h *hash) remove(field string) bool {
	old, _ := h.fields.get(field)
	h.bytes -= int64(len(old))
	return h.fields.remove(field)
}

func (h *hash) encoding() string {
	if h.big {
		return "hashtable"
	}
	return "listpack"
}
