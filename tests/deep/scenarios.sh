#!/bin/bash
# Runs the check of every scenario at 30, 60, 120 and 240 Hz with 2, 4 and 8 sub-steps. At most three scenarios may be exempt from some of these runs. A
# script declares an exemption in a line of its own, with the reason after the second colon:
#   -- Exempt: 30 Hz with 2 sub-steps: a column of twenty needs stiffer springs than these steps can follow.
cd "$(dirname "$0")/../.." || exit 1
runs=0 failed=0 exempt=()
for script in scripts/*.lua scripts/demos/*.lua; do
	for hertz in 30 60 120 240; do
		for substeps in 2 4 8; do
			said=$(build/host --quiet --hz $hertz --substeps $substeps "$script" 2>&1 >/dev/null)
			code=$?
			runs=$((runs + 1))
			if grep -q "^-- Exempt: $hertz Hz with $substeps sub-steps: ." "$script"; then
				exempt+=("$script")
				[ $code = 0 ] && echo "$script passes at $hertz Hz with $substeps sub-steps: it needs no exemption"
			elif [ $code != 0 ]; then
				failed=$((failed + 1))
				echo "$script at $hertz Hz with $substeps sub-steps: $(head -n 1 <<<"$said")"
			fi
		done
	done
done
scripts=$(printf '%s\n' "${exempt[@]}" | sort -u | grep -c .)
echo "scenarios: $runs runs, $failed failed; $scripts scenarios are exempt from ${#exempt[@]} of them"
[ $failed = 0 ] && [ "$scripts" -le 3 ]
