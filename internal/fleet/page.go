package fleet

import (
	"math"

	"lightbar/catalog"
)

var rowsPerPage = int(catalog.LimitInt("lists", "thingsPerPage"))

// Page applies the defaults of lists in pages: page 1, 500 a page, which is also the most.
func Page(page, perPage int) (int, int) {
	if page < 1 {
		page = 1
	}
	page = min(page, math.MaxInt32) // page × per_page must not wrap
	if perPage < 1 || perPage > rowsPerPage {
		perPage = rowsPerPage
	}
	return page, perPage
}
