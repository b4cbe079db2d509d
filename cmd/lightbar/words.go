package main

import "fmt"

// counted is a number with what it counts: 1 row, 2 rows.
func counted[N int | int64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
