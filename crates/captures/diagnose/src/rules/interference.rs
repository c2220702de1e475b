//! W107: bursts of losses that neither the signal nor other stations explain.

use super::doubt::{BEYOND_DOUBT_DB, varies_db};
use super::weak::margin;
use super::{collisions, no_air};
use crate::capacity::{Share, moved_mbps, taken_by_others};
use crate::collides::collide_alone;
use crate::demand::gain_mbps;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{changed, in_links, is_deaf};
use crate::link::{Link, data_span, links};
use crate::rule::Rule;
use crate::snr::needed;
use crate::under_way::carrying;
use crate::waits::busy;
use crate::wasted::{self, sent_again_ns};
use crate::window_bounds::within_windows;
use airloom_trace::{Air, RadioHeard, Storm, Traffic};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W107",
    name: "interference",
    means: "Something disturbs the channel in bursts, such as a microwave oven or Bluetooth: what is sent \
            then is lost.",
    needs: "air",
    computes: "Bursts in which a link sends nothing but retries, four PPDUs and more one after another for 5 ms at least, though the signal is at least 4 dB \
               above what its rates need, also just before and after each. Where the first PPDU at a slower rate ends four in five of them, the signal fades, and the rule cannot tell. Nor can it where a signal that fades loses as much: by the slowest rate at which nothing arrived it \
               would have to fall by 15 dB at least, and for more of the time than Rayleigh's fading is so deep (3.1 % of it at 15 dB, 1.0 % at 20 dB) by three standard deviations of so few bursts, unless these follow each other at one distance while data goes between them, too. Reported from three on, if they take 1 % of the time (of one or two the rule cannot tell), outside of them fewer than \
               one MPDU in five is sent again, and there are three times as many as chance would make of these retries. Where it lasts for most of the \
               time, the share of PPDUs of four MPDUs and more of which nothing arrived: from a quarter on, if that is four times as often as that a part did not, a quarter of \
               what is sent again goes in such bursts, and others take less than a tenth of the time.",
    traps: "A monitor does not hear how the receiver hears: slow fading on the one link looks the same as a disturbance there, so long as it is not too deep or too long for that. A station that is away or dozes does not answer either: spells between PM=1 and PM=0 do not count. Collisions and a weak \
            signal make retries all the time, not in bursts. The monitor may be disturbed where the receiver is not, and then hears nothing. Where it hears few answers of the receiver, it does not know what arrived. Where one MPDU in five is sent again, not in such bursts, beside a strong signal and hardly any other data, the rule cannot tell what takes it; nor where frames that go alone collide as where both sides always have one waiting, 5 % of both directions, in air that is idle for a fifth of the time: data in bursts meets its own answers as often.",
    refuted_by: "As many bursts in another band, or with everything switched off that is not Wi-Fi.",
    judge,
};

/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 50;
/// Fewer bursts than this may be chance.
const MIN_BURSTS: usize = 3;
/// The share of the time, in percent.
const REPORTED_PCT: f64 = 1.0;
/// The share of retries outside of bursts.
const CLEAN: f64 = 0.20;
/// How many times more bursts than chance makes.
const BEYOND: f64 = 3.0;
/// The share of the bursts that ends with the first PPDU at a slower rate where it is the rate that does not get through: a disturbance ends a half so, with a control that steps down.
const BY_RATE: f64 = 0.8;
/// So far below its mean a signal may fall while somebody passes by or a station is moved: TGn's models have it vary by 6 dB at most from place to place (IEEE 802.11-03/940r4), of which less than one
/// place in a hundred is farther below. In dB.
const DEEP_DB: f64 = 15.0;
/// So many standard deviations more than a signal fades is hardly chance.
const CERTAIN: f64 = 3.0;
/// The part of what goes for the first time on average that goes in the midst between bursts, or more, where data goes all the time; and the part of its time that a link's data takes then, where the
/// bursts are too near to each other to see that.
const BETWEEN: f64 = 0.5;
/// So many bins between two bursts show what goes in the midst.
const BINS: u64 = 4;
/// Times are regular if so many distances, or more, are all but this part of them the usual one, but for such a part of it.
const FEWEST_APART: usize = 3;
const MOSTLY: f64 = 0.8;
const ALIKE: f64 = 0.1;
/// PPDUs of a burst.
const BURST: f64 = 4.0;
/// With this much signal more than needed, noise is not what destroys MPDUs, in dB.
const SNR_MARGIN_DB: f64 = 4.0;
/// A signal so far below its mean is another one, in dB.
const FALLEN: f64 = 6.0;
/// The share of large PPDUs of which nothing arrived, in percent; how many large PPDUs say something; and how many times more often than
/// a part of them did not arrive.
const WHOLE: f64 = 25.0;
const ENOUGH_LARGE: u64 = 50;
const NOT_PARTS: u64 = 4;
/// The share of the time that others may take: frames that are lost as a whole collide otherwise.
const ALONE: f64 = 0.1;
/// The share of the time for which a station may say that it is away.
const AWAY: f64 = 0.05;
/// The share of what is sent again that goes in bursts: a rate that does not work is left after a try or two.
const IN_BURSTS: f64 = 0.25;
/// The share of PPDUs outside of bursts whose answers were heard: a monitor that hears fewer does not know what arrived.
const ANSWERED: f64 = 0.5;
/// How many times less often than the other way.
const ONE_WAY: f64 = 4.0;
/// The share of MPDUs that are sent again for which a station and its access point that send at once do not account: some 15 % of their PPDUs (Bianchi 2000).
const UNEXPLAINED: f64 = 0.20;
/// Fewer MPDUs say nothing of how often both sides wait.
const MANY_MPDUS: u64 = 500;
/// Air that is busy for more of the time, in percent, has little idle time that something else may have used: a sender in full air waits for a backoff in the rest.
const FULL: f64 = 80.0;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let verdict = in_links(air, MIN_MPDUS, |link| {
        let all_the_time = || most_of_the_time(evidence, *capture, air, link, link.lowest_snr(air)?);
        found(evidence, *capture, air, link).or_else(all_the_time)
    });
    let by_mean = |link: &Link<'_>| most_of_the_time(evidence, *capture, air, link, link.snr(air)?);
    let changes = |link: &Link<'_>| {
        let change =
            || by_mean(link).and(link.change(air)).map(|change| changed(link, change.strong - change.weak));
        faded(air, link).or_else(change)
    };
    match links(air, MIN_MPDUS).iter().filter(|link| !is_deaf(air, link)).find_map(changes) {
        Some(because) if verdict == Verdict::NOTHING => Verdict::CannotTell(because),
        None if verdict == Verdict::NOTHING => {
            let suspect = unclear(air).or_else(|| unexplained(air)).or_else(|| undecoded(air));
            match Verdict::unless_found_suspects(Vec::new(), suspect) {
                Verdict::Found(found) => Verdict::unless_found(found, few(air)),
                suspects => suspects,
            }
        }
        _ => verdict,
    }
}

/// That nothing arrives over a link in bursts that a signal which fades makes as well as a disturbance does.
fn unclear(air: &Air) -> Option<String> {
    links(air, MIN_MPDUS).iter().filter(|link| !is_deaf(air, link)).find_map(|link| {
        let bursts = Bursts::of(air, link, |storm| is_strong(air, link, storm))?;
        let matter = bursts.matter(link.traffic.ppdus) && hears_answers(link.traffic, bursts.mpdus);
        (matter && !is_no_fading(air, link, &bursts)).then(|| {
            format!(
                "{}: {:.0} bursts of {:.0} ms on average in which nothing arrived, {:.0} % of the time, at rates for which the signal is enough, as it is heard: something disturbs the receiver, or \
                 the link fades, and a monitor cannot tell; see whether it ends in another band, or at another place",
                link.named(),
                bursts.count,
                bursts.lasted_ns / 1e6 / bursts.count,
                bursts.share
            )
        })
    })
}

/// That nothing arrives over a link in bursts that last for a part of the time that matters, but are too few to tell what makes them.
fn few(air: &Air) -> Option<String> {
    links(air, MIN_MPDUS).iter().filter(|link| !is_deaf(air, link)).find_map(|link| {
        let bursts = Bursts::of(air, link, |storm| is_strong(air, link, storm))?;
        let matter = bursts.storms.len() < MIN_BURSTS && bursts.last(link.traffic.ppdus);
        (matter && hears_answers(link.traffic, bursts.mpdus)).then(|| {
            format!(
                "{}: for {:.0} ms together, {:.0} % of the time, nothing arrived whatever was tried, though the signal is strong enough, but {} such {} too few: something disturbs the receiver, or the \
                 link fades; a longer capture would tell",
                link.named(),
                bursts.lasted_ns / 1e6,
                bursts.share,
                bursts.storms.len(),
                if bursts.storms.len() == 1 { "time is" } else { "times are" }
            )
        })
    })
}

/// That much is sent again over a link though its signal is strong and hardly anybody else sends: what takes it does not show.
fn unexplained(air: &Air) -> Option<String> {
    links(air, MIN_MPDUS).iter().find_map(|link| {
        let again = link.traffic.retried as f64 / link.traffic.mpdus.max(1) as f64;
        let over = margin(link, link.lowest_snr(air)?)?;
        let alone = taken_by_others(air, link.station().mac)? <= ALONE;
        let struck = again >= UNEXPLAINED && over >= SNR_MARGIN_DB && alone;
        (struck && hears_answers(link.traffic, 0) && !is_deaf(air, link) && !link.is_far_off(air) && !collisions::strikes(air, link) && !collisions::are_in_step(air, link.from.mac)).then(|| {
            format!(
                "{}: {:.0} % of the MPDUs are sent again, though the signal is {over:.0} dB above what the rates need and hardly anybody else is heard: {}what is not Wi-Fi (a \
                 microwave oven, Bluetooth, wireless video), a station that the monitor does not hear, or a weaker signal at the receiver may be why; see whether it ends {}in another band",
                link.named(),
                100.0 * again,
                by_signal(link, over),
                if over < BEYOND_DOUBT_DB { "at a slower rate, or " } else { "" }
            )
        })
    })
}

/// What of the signal may be why, in words that others follow: rates that need so many dB less than there is may be too fast for the receiver there, and a signal may fade. Empty if neither is so.
fn by_signal(link: &Link<'_>, over: f64) -> String {
    let rates = (over < BEYOND_DOUBT_DB).then_some(
        "rates that are too fast for this receiver, since some need 8 dB more signal than others, "
            .to_owned(),
    );
    let fades = varies_db(link).map(|deviation| {
        format!("fading, by which the signal varies by {deviation:.0} dB within a second, ")
    });
    rates.into_iter().chain(fades).collect()
}

/// That frames which go alone collide as where both sides always have one waiting, though the air is not full and hardly anybody else is heard: they come in bursts, or what they wait for is not decoded.
fn undecoded(air: &Air) -> Option<String> {
    let busy = busy(air, data_span(air)?).filter(|&busy| busy < FULL)?;
    links(air, MANY_MPDUS).iter().find_map(|link| {
        let share = collide_alone(air, link)?;
        let strong = margin(link, link.lowest_snr(air)?)? >= SNR_MARGIN_DB;
        let alone = taken_by_others(air, link.station().mac)? <= ALONE;
        (strong && alone && hears_answers(link.traffic, 0) && !is_deaf(air, link)).then(|| {
            format!(
                "{}: with what comes back {:.0} % of the frames are sent again, as where both sides always have one waiting, though the signal is strong and the air, as far as it is heard, \
                 idle for {:.0} % of the time: data may come in bursts, each of which meets its own answers, or something that the monitor does not decode (a microwave oven, Bluetooth, a network on an overlapping channel) may hold the air; if no program here writes in bursts, see whether it ends in another band",
                link.named(),
                100.0 * share,
                100.0 - busy
            )
        })
    })
}

/// Why it cannot be told what makes bursts of losses on a link, if its signal was weak beside them or slower rates end them.
fn faded(air: &Air, link: &Link<'_>) -> Option<String> {
    let all = Bursts::of(air, link, |_| true).filter(|bursts| bursts.matter(link.traffic.ppdus))?;
    let snr = link.snr(air)?;
    if all.end_slower() {
        return Some(format!(
            "{}: {} of {} bursts in which nothing arrived end with the first frame at a slower rate, as where a signal fades and comes back: at the receiver it may be weaker at times than the monitor shows",
            link.named(),
            all.slowed(),
            all.storms.len()
        ));
    }
    let beside = all.storms.iter().filter_map(|storm| link.snr_beside(air, storm.from_ns, storm.to_ns));
    let lowest = beside.min_by(f64::total_cmp).filter(|lowest| snr - lowest >= FALLEN)?;
    (margin(link, snr)? >= SNR_MARGIN_DB).then(|| changed(link, snr - lowest))
}

/// The ratio of signal to noise beside a burst, in dB. What a few frames say counts where it is far below the mean alone.
fn snr_at(air: &Air, link: &Link<'_>, storm: &Storm) -> Option<f64> {
    let mean = link.snr(air)?;
    let beside = link.snr_beside(air, storm.from_ns, storm.to_ns).filter(|beside| mean - beside >= FALLEN);
    Some(beside.unwrap_or(mean))
}

/// Whether the signal is strong enough beside a burst.
fn is_strong(air: &Air, link: &Link<'_>, storm: &Storm) -> bool {
    snr_at(air, link, storm).and_then(|snr| margin(link, snr)).is_some_and(|margin| margin >= SNR_MARGIN_DB)
}

/// How far the signal would have to fall for what did not arrive in a burst, in dB: for the slowest rate at which nothing did.
fn depth(air: &Air, link: &Link<'_>, storm: &Storm) -> Option<f64> {
    Some(snr_at(air, link, storm)? - needed(&storm.failed?))
}

/// Whether times follow each other at about one distance. Where nothing keeps them apart, three distances are as alike as this in fewer than one of a hundred cases.
fn are_regular(times_ns: &[u64]) -> bool {
    let mut apart: Vec<u64> = times_ns.windows(2).map(|two| two[1].saturating_sub(two[0])).collect();
    apart.sort_unstable();
    let Some(&usual) = apart.get(apart.len() / 2) else { return false };
    let alike = apart.iter().filter(|&&one| one.abs_diff(usual) as f64 <= ALIKE * usual as f64).count();
    apart.len() >= FEWEST_APART && alike as f64 >= MOSTLY * apart.len() as f64
}

/// The bursts of a link in which nothing arrived.
struct Bursts<'a> {
    /// The first of them; how many there are, the MPDUs in them and how long they lasted are of all.
    storms: Vec<&'a Storm>,
    count: f64,
    mpdus: u64,
    lasted_ns: f64,
    /// The share of the time, in percent.
    share: f64,
    /// The share of the MPDUs outside of them that are sent again.
    outside: f64,
}

impl<'a> Bursts<'a> {
    fn of(air: &Air, link: &Link<'a>, counts: impl Fn(&Storm) -> bool) -> Option<Self> {
        let traffic = link.traffic;
        let (total, kept) = (traffic.storms.total(), traffic.storms.kept());
        let storms: Vec<&Storm> =
            kept.iter().filter(|storm| !away(link.station(), storm) && counts(storm)).collect();
        let of_all = |value: fn(&Storm) -> u64| {
            let sum: u64 = storms.iter().map(|storm| value(storm)).sum();
            all(total, kept.len(), sum as f64)
        };
        let count = of_all(|_| 1);
        let mpdus = of_all(|storm| storm.mpdus) as u64;
        let lasted_ns = of_all(|storm| storm.to_ns.saturating_sub(storm.from_ns));
        let (from, to) = air.span_ns?;
        let outside =
            traffic.retried.saturating_sub(mpdus) as f64 / traffic.mpdus.saturating_sub(mpdus).max(1) as f64;
        let share = 100.0 * lasted_ns / to.saturating_sub(from).max(1) as f64;
        Some(Self { storms, count, mpdus, lasted_ns, share, outside })
    }

    /// Those that the first PPDU at a slower rate ends.
    fn slowed(&self) -> usize {
        self.storms.iter().filter(|storm| storm.slowed).count()
    }

    /// Whether that ends nearly all, as where a signal fades: a disturbance ends whatever the rate, and at the first slower try by chance.
    fn end_slower(&self) -> bool {
        self.slowed() as f64 > BY_RATE * self.storms.len() as f64
    }

    /// Whether they begin at regular times, as a machine's do: no signal fades by a clock. But data may go by one, and nothing is lost while none goes.
    fn are_regular(&self, traffic: &Traffic) -> bool {
        are_regular(&self.storms.iter().map(|storm| storm.from_ns).collect::<Vec<_>>())
            && goes_between(traffic, &self.storms)
    }

    /// Whether they are more than chance makes of so many PPDUs, and last for a part of the time that matters.
    fn matter(&self, ppdus: u64) -> bool {
        self.storms.len() >= MIN_BURSTS && self.last(ppdus)
    }

    /// The same of few of them.
    fn last(&self, ppdus: u64) -> bool {
        let chance = ppdus as f64 * libm::pow(self.outside, BURST);
        !self.storms.is_empty() && self.count >= BEYOND * chance && self.share >= REPORTED_PCT
    }
}

/// The share of the time, in percent, for which a signal that comes on many ways is so many dB below its mean, or more: its power is distributed exponentially (Rayleigh's fading). That is the
/// worst of TGn's channel models (IEEE 802.11-03/940r4), whose paths fade so; what comes straight fades less.
fn fades_pct(depth: f64) -> f64 {
    100.0 * (1.0 - libm::exp(-libm::pow(10.0, -depth / 10.0)))
}

/// Whether no signal that fades makes such bursts.
fn is_no_fading(air: &Air, link: &Link<'_>, bursts: &Bursts<'_>) -> bool {
    bursts.are_regular(link.traffic) || is_deeper_than_fading(air, link)
}

/// Whether bursts strike a link for more of the time than a signal fades: so far that what did not arrive in them would be lost.
fn is_deeper_than_fading(air: &Air, link: &Link<'_>) -> bool {
    let (storms, Some((from, to))) = (&link.traffic.storms, air.span_ns) else { return false };
    let present = storms.kept().iter().filter(|storm| !away(link.station(), storm));
    let with_depth = present
        .filter_map(|storm| Some((depth(air, link, storm)?, storm.to_ns.saturating_sub(storm.from_ns))));
    let each = all(storms.total(), storms.kept().len(), 100.0) / to.saturating_sub(from).max(1) as f64;
    are_deeper(with_depth.map(|(depth, lasted)| (depth, each * lasted as f64)).collect())
}

/// The same of bursts, each with its depth in dB and its share of the time in percent: whether those of some depth and deeper ones take more than fading does.
fn are_deeper(mut bursts: Vec<(f64, f64)>) -> bool {
    bursts.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut share = 0.0;
    bursts.iter().take_while(|(depth, _)| *depth >= DEEP_DB).zip(1..).any(|(&(depth, part), count)| {
        share += part;
        count >= MIN_BURSTS && share >= most_pct(depth, count).max(REPORTED_PCT)
    })
}

/// The most of the time in percent for which a signal is so deep in so many bursts, but for chance: their number and how long each lasts both vary by as much as they are on average.
fn most_pct(depth: f64, bursts: usize) -> f64 {
    fades_pct(depth) * (1.0 + CERTAIN * libm::sqrt(2.0 / bursts as f64))
}

/// Whether a link's data goes between its bursts as well: in the midst between two of them, or for most of the time where they are too near to each other to see that.
fn goes_between(traffic: &Traffic, storms: &[&Storm]) -> bool {
    let over_time = &traffic.over_time;
    let width = over_time.sizes.width_ns();
    let midst = |two: &[&Storm]| {
        let apart = two[1].from_ns.saturating_sub(two[0].to_ns);
        (apart >= BINS * width).then(|| (two[0].to_ns + apart / 4, two[1].from_ns - apart / 4))
    };
    let spans: Vec<_> = storms.windows(2).filter_map(midst).collect();
    if 2 * spans.len() < storms.len() {
        let busy = over_time.airtime.bins().iter().filter(|bin| bin.count > 0).count();
        return traffic.airtime_ns as f64 >= BETWEEN * busy as f64 * width as f64;
    }
    let first_tries = |from, to| over_time.sizes.sum(from, to) - over_time.retries.sum(from, to);
    let within: f64 = spans.iter().map(|&(from, to)| first_tries(from, to)).sum();
    let lasted: f64 = spans.iter().map(|&(from, to)| (to - from) as f64).sum();
    let (begin, end) = (storms[0].from_ns, storms[storms.len() - 1].to_ns);
    let all = first_tries(begin, end) / end.saturating_sub(begin).max(1) as f64;
    all > 0.0 && within / lasted >= BETWEEN * all
}

/// Whether bursts of losses strike a link, whatever else its frames suffer from.
pub(super) fn strikes(air: &Air, link: &Link<'_>) -> bool {
    Bursts::of(air, link, |_| true).is_some_and(|bursts| bursts.matter(link.traffic.ppdus))
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let traffic = link.traffic;
    let bursts = Bursts::of(air, link, |storm| is_strong(air, link, storm));
    let bursts = bursts.filter(|bursts| {
        bursts.matter(traffic.ppdus) && !bursts.end_slower() && is_no_fading(air, link, bursts)
    })?;
    let Bursts { storms, count, mpdus: within, lasted_ns: lasted, share, outside } = bursts;
    if outside > CLEAN || !hears_answers(traffic, within) {
        return None;
    }
    Some(Finding {
        subject: link.named(),
        spans: storms.iter().map(|storm| [storm.from_ns, storm.to_ns].map(|at| evidence.seconds(at))).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the time",
        confidence: 0.75,
        cost: cost(evidence, air, link, share),
        capture,
        frames: storms.iter().map(|storm| storm.number).take(NAMED).collect(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "{count:.0} bursts of {:.0} ms on average in which nothing arrived, though the signal is strong enough; outside of them {:.0} % of the \
             MPDUs are sent again.",
            lasted / 1e6 / count,
            100.0 * outside
        ),
        remedy: "Another channel or band; look for what is on at these times: microwave ovens, wireless video, USB 3 beside the antenna, Bluetooth on \
                 the same chip."
            .to_owned(),
    })
}

/// Whether the monitor hears the receiver answer, but for bursts of so many MPDUs.
fn hears_answers(traffic: &Traffic, within: u64) -> bool {
    let in_bursts = within as f64 / traffic.mpdus_per_ppdu().max(1.0);
    traffic.answered as f64 >= ANSWERED * (traffic.ppdus as f64 - in_bursts)
}

/// What would have gone in the time of the bursts, if more is there to be sent, without what senders need to recover from them; else
/// that time.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, share: f64) -> Cost {
    match moved_mbps(air, link).filter(|_| evidence.is_greedy(link) && share < 100.0) {
        Some(moved) => {
            let more = moved * share / (100.0 - share);
            let cost = Cost::carried(more, moved, "of this link");
            within_windows(evidence, air, &[link], cost)
        }
        None => Cost::percent(share, "% of the time", "in all"),
    }
}

/// The sum over so many, from that over the first, which are kept and stand for all.
fn all(total: u64, kept: usize, sum: f64) -> f64 {
    total as f64 / kept.max(1) as f64 * sum
}

/// Interference that hardly leaves a time without it: most PPDUs are lost, and each as a whole, which neither a weak signal does nor others that are
/// not there.
fn most_of_the_time(
    evidence: &Evidence,
    capture: usize,
    air: &Air,
    link: &Link<'_>,
    snr: f64,
) -> Option<Finding> {
    let traffic = link.traffic;
    let share = traffic.large.lost_whole_percent();
    let (from, to) = data_span(air)?;
    let time = to.saturating_sub(from).max(1) as f64;
    let (dozes, storms) = (link.station().presence.dozes(), &traffic.storms);
    let [retried, dozed] = [
        storms.kept().iter().map(|storm| storm.mpdus).sum::<u64>(),
        dozes.kept().iter().map(|doze| doze.length_ns()).sum(),
    ];
    let in_bursts = all(storms.total(), storms.kept().len(), retried as f64);
    let away = all(dozes.total(), dozes.kept().len(), dozed as f64) / time;
    if traffic.large.ppdus < ENOUGH_LARGE
        || share < WHOLE
        || traffic.large.lost_whole < NOT_PARTS * traffic.large.lost_in_part
        || margin(link, snr)? < SNR_MARGIN_DB
        || taken_by_others(air, link.station().mac)? > ALONE
        || away > AWAY
        || in_bursts < IN_BURSTS * traffic.retried as f64
        || !is_deeper_than_fading(air, link)
    {
        return None;
    }
    let back = air.traffic().get(&(link.to.mac, link.from.mac));
    let one_way = back.is_some_and(|back| {
        back.large.ppdus >= ENOUGH_LARGE && ONE_WAY * back.large.lost_whole_percent() < share
    });
    Some(Finding {
        subject: link.named(),
        spans: carrying(evidence, air, link),
        value: share,
        threshold: WHOLE,
        unit: "% of PPDUs of which nothing arrived",
        confidence: 0.75,
        cost: gain_mbps(evidence, air, link, Share::Own, 1.0, 1.0).zip(moved_mbps(air, link)).map_or_else(
            || wasted::of_the_air(air, link, sent_again_ns(traffic)),
            |(more, moved)| within_windows(evidence, air, &[link], Cost::mbps(more, moved, "of this link")),
        ),
        capture,
        frames: traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "Of {share:.0} % of the PPDUs with four MPDUs and more nothing arrived, though the signal is strong enough and hardly anybody else sends; of \
             {:.0} % a part did not.{}",
            traffic.large.lost_in_part_percent(),
            if one_way { " What goes the other way arrives: the receiver alone is disturbed, or not listening." } else { "" }
        ),
        remedy: "See whether it ends with Bluetooth switched off: on the same chip it takes the antenna from Wi-Fi, for music all the time. Else another channel or \
                 band; look for USB 3 beside the antenna, wireless video, cordless cameras."
            .to_owned(),
    })
}

/// Whether the station was away or dozed, as far as it announced.
fn away(station: &RadioHeard, storm: &Storm) -> bool {
    let dozes = station.presence.dozes().kept();
    // One ends before the next begins.
    let next = dozes.partition_point(|doze| doze.to_ns < storm.from_ns);
    dozes.get(next).is_some_and(|doze| doze.from_ns <= storm.to_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_fades_as_an_exponential_distribution_says() {
        // Of half its mean a power that is exponentially distributed is less for 39 % of the time.
        for (depth, percent) in [(3.0103, 39.35), (10.0, 9.52), (15.0, 3.11), (20.0, 0.995)] {
            assert!((fades_pct(depth) - percent).abs() < 0.01, "{depth} dB: {} %", fades_pct(depth));
        }
    }

    #[test]
    fn few_bursts_that_fading_makes_by_chance_are_no_interference() {
        let bursts = |depth: f64, count: usize, all_pct: f64| vec![(depth, all_pct / count as f64); count];
        // Of 3.1 % on average three fades may take 4 %, and hundreds do not.
        assert!(!are_deeper(bursts(15.0, 3, 4.0)) && are_deeper(bursts(15.0, 3, 11.0)));
        assert!(are_deeper(bursts(15.0, 400, 4.0)) && !are_deeper(bursts(15.0, 400, 3.2)));
        assert!(!are_deeper(bursts(14.9, 400, 50.0)), "a signal changes by so much from place to place");
        let beside = [bursts(15.0, 5, 1.5), bursts(40.0, 3, 1.5)].concat();
        assert!(are_deeper(beside), "no fading is so deep for so long, whatever is less deep");
        assert!(!are_deeper(bursts(40.0, 2, 50.0)) && !are_deeper(Vec::new()));
    }

    const MS: u64 = 1_000_000;

    /// Bursts of so many ms at these times in ms.
    fn storms(at_ms: &[u64], lasting_ms: u64) -> Vec<Storm> {
        let storm = |&at: &u64| Storm {
            from_ns: at * MS,
            number: 1,
            to_ns: (at + lasting_ms) * MS,
            ppdus: 5,
            mpdus: 5,
            slowed: false,
            failed: None,
        };
        at_ms.iter().map(storm).collect()
    }

    /// Whether such bursts are regular on a link over which a PPDU of so many ms ends at these times in ms.
    fn are_by_a_clock(storms: &[Storm], sent_ms: impl Iterator<Item = u64>, each_ms: u64) -> bool {
        let mut traffic = Traffic::default();
        for at in sent_ms {
            traffic.airtime_ns += each_ms * MS;
            traffic.over_time.airtime.note(at * MS, (each_ms * MS) as f64);
            traffic.over_time.sizes.note(at * MS, 1.0);
            traffic.over_time.retries.note(at * MS, 0.0);
        }
        let storms: Vec<_> = storms.iter().collect();
        let count = storms.len() as f64;
        let bursts = Bursts { storms, count, mpdus: 0, lasted_ns: 0.0, share: 10.0, outside: 0.0 };
        bursts.are_regular(&traffic)
    }

    #[test]
    fn bursts_of_what_is_sent_by_a_clock_are_as_regular_as_that() {
        let struck = storms(&[1000, 3000, 5000, 7000], 50);
        assert!(are_by_a_clock(&struck, (0..800).map(|turn| 10 * turn), 1), "data goes all the time");
        let pieces = (0..800).map(|turn| 10 * turn).filter(|at| (at + 1020) % 2000 < 120);
        assert!(!are_by_a_clock(&struck, pieces, 1), "a piece of a video every 2 s");
        let calls = storms(&[1000, 2000, 3000, 4000], 20);
        assert!(!are_by_a_clock(&calls, (0..9).map(|turn| 1000 * turn), 1), "a ping a second");
    }

    #[test]
    fn bursts_near_to_each_other_are_regular_where_data_takes_most_of_the_time() {
        let struck = storms(&[20, 40, 60, 80, 100, 120], 9);
        assert!(are_by_a_clock(&struck, (0..15).map(|turn| 10 * turn), 7));
        assert!(!are_by_a_clock(&struck, (0..15).map(|turn| 10 * turn), 2), "a packet every 20 ms");
    }

    #[test]
    fn what_comes_at_one_distance_is_regular() {
        assert!(are_regular(&[800, 1200, 1610, 2000]));
        assert!(!are_regular(&[800, 1200, 1600]), "two distances may be alike by chance");
        assert!(!are_regular(&[800, 1200, 1700, 2000]) && !are_regular(&[]));
        assert!(are_regular(&[0, 20, 40, 60, 100, 120]), "one was missed");
    }
}
