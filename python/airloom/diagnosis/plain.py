"""What each finding means for somebody who uses the network, without a word of the trade."""

from __future__ import annotations

MEANS = {
    "W001": "This capture misses much of what happened, so the rest of this diagnosis is less sure.",
    "W101": "The device leaves its channel again and again to look for other networks. Until it is back "
    "nothing reaches it: downloads pause, calls stutter.",
    "W102": "The device sleeps to save its battery, and what is sent to it waits until it wakes up. "
    "Everything is slow to answer, most of all while little is going on.",
    "W103": "The device changes to another access point, or loses its own and connects anew. Until it is connected, "
    "nothing gets through.",
    "W104": "The signal is good enough for more than the device makes of it: the radio stays slow, and "
    "everything takes longer.",
    "W105": "The signal is weak. Much has to be sent again, or slowly; distance and walls are the usual reasons.",
    "W106": "Devices that do not hear each other talk at the same time, and what they send is lost.",
    "W107": "Something disturbs the channel in bursts, such as a microwave oven or Bluetooth: what is sent "
    "then is lost.",
    "W108": "Again and again, at regular times, nothing gets through for a moment, and then all at once. A radio "
    "that leaves its channel to look for other networks does that.",
    "W109": "What is sent to a device waits until that wakes up for a moment, as it sleeps to save its battery. "
    "Everything is slow to answer, most of all while little is going on.",
    "W201": "Others use the same channel so much that the device has to wait for its turn.",
    "W202": "One slow device needs most of the time on the air, and makes everybody else about as slow as itself.",
    "W203": "Most of the time on the air goes to slow frames that carry no data at all.",
    "W301": "Packets stand in a long queue before they are sent. While a transfer runs, pages, calls and "
    "games answer late.",
    "W302": "What arrives is held back until something that was lost has come: data stands still, and then "
    "comes all at once.",
    "W303": "Data is sent again that had arrived already. A large transfer slows down for no reason then.",
    "W304": "Frames are sent one by one where many could go together: the pauses between them take the time.",
    "W305": "The adapter gets its data from the computer more slowly than its radio could send it: the port "
    "or the cable between them is the narrow place, not the air.",
    "W306": "Data is lost on its way and has to be sent again, which slows everything down. Where it is lost, this "
    "capture alone does not show.",
    "W307": "Large packets vanish on the way and small ones arrive, so that a connection opens and then stands still.",
    "W401": "The receiving computer or program takes no more at a time. The network could carry more.",
    "W402": "The program that sends has nothing to send for much of the time. The network is not the limit.",
    "W403": "The radio has time to spare: what limits this transfer is elsewhere, in the cable, the internet "
    "or the other computer.",
    "W404": "The sender waits for a confirmation that the receiver holds back, again and again, though "
    "nothing is lost.",
    "W405": "The sending computer or program keeps only so much on its way at a time. The network could carry more.",
    "W406": "The other computer answers no more, and the connection repeats the same data until it gives up.",
    "W407": "The program that receives does not take what has come, so that nothing more may be sent to it.",
}
"""A sentence or two by the code of the rule."""
