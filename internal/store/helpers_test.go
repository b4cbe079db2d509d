package store_test

import "lightbar/internal/store/storetest"

// What this package writes for each engine is watched on each.
func init() { storetest.Whole() }
