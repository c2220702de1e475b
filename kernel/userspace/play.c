// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plays scripts to the kernel's pseudo retry-out in user space. A line in:
 *
 *   new WINDOW HEAD      a session begins
 *   heard BPS HEAD       an MPDU has come in
 *   damaged SN TCP       the one heard last is damaged: verdict and count out
 *   give_up SN HEAD      0 or 1 out
 *   lost SN HEAD         0 or 1 out
 */
#include <stdio.h>
#include <stdlib.h>

#include "retry_out.h"

int main(void)
{
	static const char *const words[] = {
		[IEEE80211_RETRY_OUT_INCREDIBLE] = "incredible",
		[IEEE80211_RETRY_OUT_COUNTED] = "counted",
		[IEEE80211_RETRY_OUT_OVERDUE] = "overdue",
	};
	enum ieee80211_retry_out_verdict verdict;
	struct ieee80211_retry_out *ro = NULL;
	unsigned long long a;
	unsigned int b;
	char word[16];

	while (scanf("%15s %llu %u", word, &a, &b) == 3) {
		switch (word[0]) {
		case 'n':
			free(ro);
			ro = malloc(sizeof(*ro) + ieee80211_retry_out_entries(a) * sizeof(ro->mpdu[0]));
			if (!ro)
				return 1;
			ieee80211_retry_out_init(ro, a, b);
			break;
		case 'h':
			ieee80211_retry_out_heard(ro, a, b);
			break;
		case 'd':
			verdict = ieee80211_retry_out_damaged(ro, a, b);
			if (verdict == IEEE80211_RETRY_OUT_INCREDIBLE)
				puts(words[verdict]);
			else
				printf("%s %u\n", words[verdict],
				       ieee80211_retry_out_retransmissions(ro, a));
			break;
		case 'g':
			printf("%d\n", ieee80211_retry_out_give_up(ro, a, b));
			break;
		case 'l':
			printf("%d\n", ieee80211_retry_out_lost(ro, a, b));
			break;
		}
	}
	free(ro);
	return !feof(stdin);
}
