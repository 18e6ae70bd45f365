package embedded

import (
	"maps"
	"slices"
)

// ordered is a map that remembers the order in which its names came, as Redis's small hashes and sets
// do. A removed name leaves a hole that is closed when holes are in the majority.
type ordered[V any] struct {
	at    map[string]int // name → place in items
	items []item[V]
	holes int
	bytes int64 // of the names
}

type item[V any] struct {
	name  string
	value V
	gone  bool
}

func newOrdered[V any]() *ordered[V] { return &ordered[V]{at: map[string]int{}} }

func (o *ordered[V]) len() int { return len(o.at) }

func (o *ordered[V]) get(name string) (v V, ok bool) {
	i, ok := o.at[name]
	if !ok {
		return v, false
	}
	return o.items[i].value, true
}

// put stores a value and says whether the name is new.
func (o *ordered[V]) put(name string, v V) bool {
	if i, ok := o.at[name]; ok {
		o.items[i].value = v
		return false
	}
	o.at[name] = len(o.items)
	o.items = append(o.items, item[V]{name: name, value: v})
	o.bytes += int64(len(name))
	return true
}

// remove says whether the name was there.
func (o *ordered[V]) remove(name string) bool {
	i, ok := o.at[name]
	if !ok {
		return false
	}
	delete(o.at, name)
	o.items[i] = item[V]{gone: true}
	o.bytes -= int64(len(name))
	o.holes++
	if o.holes > 16 && o.holes > len(o.items)/2 {
		o.items = slices.DeleteFunc(o.items, func(it item[V]) bool { return it.gone })
		o.holes = 0
		for i := range o.items {
			o.at[o.items[i].name] = i
		}
	}
	return true
}

// all yields names and values in order.
func (o *ordered[V]) all(yield func(string, V) bool) {
	for _, it := range o.items {
		if !it.gone && !yield(it.name, it.value) {
			return
		}
	}
}

func (o *ordered[V]) clone() *ordered[V] {
	n := *o
	n.at, n.items = maps.Clone(o.at), slices.Clone(o.items)
	return &n
}
