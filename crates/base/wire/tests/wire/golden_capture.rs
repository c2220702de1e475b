//! Capture files against octets worked by hand from their formats.

use crate::{Kept, hex, items};
use airloom_wire::pcapng::{Interface, Record, Writer};
use airloom_wire::{LinkType, Reader, Stop};

/// draft-ietf-opsawg-pcapng section 4.1: type, length 28 + 12 of options, byte-order magic, version 1.0, section length
/// -1, option 4 ("loom", 4 octets) and the end of options.
const SECTION: &str =
    "0a0d0d0a 28000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0400 6c6f6f6d 0000 0000 28000000";

/// Section 4.2: type 1, link type 127, reserved, snap length 4; options 2 ("air0"), 3 ("a", padded), 9 (9, padded), end:
/// 8 + 8 + 8 + 8 + 8 + 4 + 4 = 48.
const INTERFACE: &str = "01000000 30000000 7f00 0000 04000000
    0200 0400 61697230  0300 0100 61000000  0900 0100 09000000  0000 0000 30000000";

/// Section 4.3: type 6, interface 0, stamp 0x0000000100000002, 4 of 6 octets captured, comment "hey", end:
/// 28 + 4 + 8 + 4 + 4 = 48.
const PACKET: &str = "06000000 30000000 00000000 01000000 02000000 04000000 06000000 01020304
    0100 0300 68657900 0000 0000 30000000";

fn packet(data: &[u8], original_len: u32, comment: Option<&str>) -> Kept {
    Kept {
        interface: 0,
        link: LinkType::RADIOTAP,
        stamp_ns: Some(0x1_0000_0002),
        data: data.to_vec(),
        original_len,
        comment: comment.map(str::to_owned),
    }
}

#[test]
fn writer_and_reader_agree_with_the_draft() {
    let mut writer = Writer::new(Vec::new(), "loom").unwrap();
    let interface = Interface { link: LinkType::RADIOTAP, name: "air0", description: "a", snap_len: 4 };
    let id = writer.interface(&interface).unwrap();
    let record = Record {
        interface: id,
        stamp_ns: 0x1_0000_0002,
        data: &[1, 2, 3, 4, 5, 6],
        original_len: 6,
        comment: Some("hey"),
    };
    writer.record(&record).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(file, hex(&[SECTION, INTERFACE, PACKET].concat()));

    assert_eq!(items(&file), [Ok(packet(&[1, 2, 3, 4], 6, Some("hey")))]);
    let mut reader = Reader::new(&file[..]).unwrap();
    reader.next().unwrap().unwrap();
    let described = &reader.interfaces()[0];
    assert_eq!((described.name.as_deref(), described.description.as_deref()), (Some("air0"), Some("a")));
    assert_eq!((described.snap_len, described.resolution), (4, 9));
}

#[test]
fn statistics_say_when_a_capture_ended() {
    const STATISTICS: &str = "05000000 28000000 00000000 01000000 02000000
        0300 0800 01000000 02000000 0000 0000 28000000";
    let mut writer = Writer::new(Vec::new(), "loom").unwrap();
    let interface = Interface { link: LinkType::RADIOTAP, name: "air0", description: "a", snap_len: 4 };
    let id = writer.interface(&interface).unwrap();
    writer.ended(id, 0x1_0000_0002).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(file, hex(&[SECTION, INTERFACE, STATISTICS].concat()));
    let ended = |file: &[u8]| {
        let mut reader = Reader::new(file).unwrap();
        assert!(reader.next().is_none());
        reader.interfaces()[0].ended_ns
    };
    assert_eq!(ended(&file), Some(0x1_0000_0002));
    assert_eq!(ended(&hex(&[SECTION, INTERFACE].concat())), None);
    // Statistics of an interface that no block describes, or with an option that is cut, take nothing from the packets.
    for damaged in [
        "05000000 18000000 07000000 01000000 02000000 18000000",
        "05000000 1c000000 00000000 01000000 02000000 0300 0800 1c000000",
    ] {
        assert_eq!(ended(&hex(&[SECTION, INTERFACE, damaged].concat())), None);
    }
}

#[test]
fn writer_refuses_what_it_cannot_tell() {
    use std::io::ErrorKind::InvalidInput;
    let long = "x".repeat(65536);
    assert_eq!(Writer::new(Vec::new(), &long).unwrap_err().kind(), InvalidInput);
    let mut writer = Writer::new(Vec::new(), "").unwrap();
    let interface = Interface { link: LinkType::ETHERNET, name: &long, description: "", snap_len: 0 };
    assert_eq!(writer.interface(&interface).unwrap_err().kind(), InvalidInput);
    let id = writer.interface(&Interface { name: "", ..interface }).unwrap();
    let record = Record { interface: id, stamp_ns: 0, data: &[1, 2], original_len: 1, comment: None };
    assert_eq!(writer.record(&record).unwrap_err().kind(), InvalidInput);
    let record = Record { original_len: 2, comment: Some(&long), ..record };
    assert_eq!(writer.record(&record).unwrap_err().kind(), InvalidInput);
    let mut other = Writer::new(Vec::new(), "").unwrap();
    assert_eq!(other.record(&Record { comment: None, ..record }).unwrap_err().kind(), InvalidInput);
    // One octet less is a text that the field can hold.
    assert!(Writer::new(Vec::new(), &long[1..]).is_ok());
    // What was refused left no octet.
    writer.record(&Record { comment: None, ..record }).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(items(&file).into_iter().map(|packet| packet.unwrap().data.len()).collect::<Vec<_>>(), [2]);
}

/// Big-endian: a section of 28 octets.
const BIG_SECTION: &str = "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c";

#[test]
fn big_endian_sections_and_resolutions() {
    // The options are: resolution, then offset (14, 8 octets). The stamp is always 0x300: 768.
    let stamp = |options: &str, options_len: usize| {
        let len = 20 + options_len;
        let file = hex(&format!(
            "{BIG_SECTION} 00000001 {len:08x} 0001 0000 00000000 {options} {len:08x}
             00000006 00000024 00000000 00000000 00000300 00000001 00000001 aa000000 00000024"
        ));
        let packets = items(&file);
        assert_eq!(packets.len(), 1);
        let packet = packets[0].as_ref().unwrap();
        assert_eq!((&packet.data[..], packet.link), (&[0xaa][..], LinkType::ETHERNET));
        packet.stamp_ns
    };
    // Without the option, microseconds.
    assert_eq!(stamp("", 0), Some(768_000));
    assert_eq!(stamp("0009 0001 09000000", 8), Some(768));
    assert_eq!(stamp("0009 0001 03000000", 8), Some(768_000_000));
    assert_eq!(stamp("0009 0001 00000000", 8), Some(768_000_000_000));
    assert_eq!(stamp("0009 0001 0a000000", 8), Some(76));
    // Powers of ten beyond what any stamp reaches.
    assert_eq!(stamp("0009 0001 7f000000", 8), Some(0));
    // 2^-10: 768 / 1024 s. 2^-127.
    assert_eq!(stamp("0009 0001 8a000000", 8), Some(750_000_000));
    assert_eq!(stamp("0009 0001 ff000000", 8), Some(0));
    // An offset of 2 s; of -1 s, which is before 1970; of 2^63 - 1 s, beyond 64 bits of nanoseconds.
    assert_eq!(stamp("0009 0001 09000000 000e 0008 0000000000000002", 20), Some(2_000_000_768));
    assert_eq!(stamp("0009 0001 09000000 000e 0008 ffffffffffffffff", 20), None);
    assert_eq!(stamp("0009 0001 09000000 000e 0008 7fffffffffffffff", 20), None);
}

#[test]
fn simple_packets_unknown_blocks_and_further_sections() {
    // A simple packet of 6 octets under a snap length of 4 (section 4.4), an unknown block, a section of version 2 whose
    // blocks mean nothing, and a big-endian section whose interfaces count from zero again.
    let file = hex(&format!(
        "{SECTION} {INTERFACE}
         03000000 14000000 06000000 01020304 14000000
         bad00000 10000000 ffffffff 10000000
         {PACKET}
         0a0d0d0a 1c000000 4d3c2b1a 0200 0000 ffffffffffffffff 1c000000
         06000000 0c000000 0c000000
         {BIG_SECTION} 00000001 00000014 0065 0000 00000000 00000014
         00000003 00000014 00000002 45000000 00000014"
    ));
    let packets: Vec<_> = items(&file).into_iter().map(Result::unwrap).collect();
    assert_eq!(packets.len(), 3);
    assert_eq!(packets[0], Kept { stamp_ns: None, ..packet(&[1, 2, 3, 4], 6, None) });
    assert_eq!(packets[1], packet(&[1, 2, 3, 4], 6, Some("hey")));
    assert_eq!(
        (packets[2].link, &packets[2].data[..], packets[2].original_len),
        (LinkType::RAW_IP, &[0x45, 0][..], 2)
    );
}

#[test]
fn a_truncated_tail_is_told() {
    let (section, interface, packet) = (hex(SECTION), hex(INTERFACE), hex(PACKET));
    let file = [&section[..], &interface, &packet, &packet].concat();
    let begins = [0, section.len(), section.len() + interface.len(), file.len() - packet.len(), file.len()];
    for cut in 1..=file.len() {
        let items = items(&file[..cut]);
        let whole = items.iter().filter(|item| item.is_ok()).count();
        assert_eq!(whole, begins[3..].iter().filter(|&&end| cut >= end).count());
        let stop = items.into_iter().find_map(Result::err);
        if begins.contains(&cut) {
            assert_eq!(stop, None);
        } else {
            let offset = *begins.iter().rfind(|&&begin| begin < cut).unwrap();
            assert_eq!(stop, Some(Stop::Truncated { offset: offset as u64 }), "cut to {cut}");
        }
    }
}

#[test]
fn blocks_that_lie() {
    let stop = |tail: &str| {
        let file = hex(&format!("{SECTION} {INTERFACE} {tail}"));
        let mut items = items(&file);
        assert_eq!(items.len(), 1, "reading ends with the first error");
        items.remove(0).unwrap_err()
    };
    let malformed = |what| Stop::Malformed { offset: 40 + 48, what };
    const NO_LENGTH: &str = "a block with an impossible length: under 12 octets, or no multiple of 4";
    // Lengths: zero, below the overhead, not of 32 bits, beyond the file, different at the end.
    assert_eq!(stop("06000000 00000000 00000000"), malformed(NO_LENGTH));
    assert_eq!(stop("06000000 08000000 08000000"), malformed(NO_LENGTH));
    assert_eq!(stop("06000000 0d000000 000d000000"), malformed(NO_LENGTH));
    assert_eq!(stop("06000000 fcffffff fcffffff"), malformed("a block of more than 16 MiB"));
    assert_eq!(stop("06000000 fcff0000 fcff0000"), Stop::Truncated { offset: 88 });
    assert_eq!(stop("06000000 0c000000 10000000"), malformed("the two lengths of a block differ"));
    // A packet of an interface that was never described; one that claims more octets than its block has; an option that
    // does; a byte-order magic that is none.
    let body = |interface: u32, len: u32| {
        format!("{:08x} 0000000000000000 {:08x} 00000000", interface.swap_bytes(), len.swap_bytes())
    };
    assert_eq!(
        stop(&format!("06000000 20000000 {} 20000000", body(1, 0))),
        malformed("a packet of an interface that no block describes")
    );
    let short = malformed("a block shorter than its contents");
    assert_eq!(stop(&format!("06000000 20000000 {} 20000000", body(0, 1))), short);
    assert_eq!(stop(&format!("06000000 20000000 {} 20000000", body(0, u32::MAX))), short);
    assert_eq!(stop(&format!("06000000 24000000 {} 01000100 24000000", body(0, 0))), short);
    assert_eq!(
        stop("0a0d0d0a 1c000000 00000000 0100 0000 ffffffffffffffff 1c000000"),
        malformed("a section whose byte order is unknown")
    );
    // More interfaces than are kept.
    let many = "01000000 14000000 0100 0000 00000000 14000000".repeat(512);
    let offset = 88 + 20 * 511;
    assert_eq!(stop(&many), Stop::Malformed { offset, what: "more than 512 interfaces" });
    // A file that does not begin with a section.
    let file = hex("01000000 14000000 0100 0000 00000000 14000000");
    assert_eq!(items(&file), [Err(Stop::Malformed { offset: 0, what: "neither pcap nor pcapng" })]);
    assert_eq!(items(&[]), [Err(Stop::Truncated { offset: 0 })]);
}

#[test]
fn classic_pcap_that_lies() {
    // draft-ietf-opsawg-pcap section 4: magic, version 2.4, two zeros, snap length, link type; section 5: seconds,
    // fraction, captured and original length.
    let header = "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000";
    let file = hex(&format!(
        "{header} 01000000 02000000 02000000 09000000 abcd 01000000 02000000 ffff0000 ffff0000 00"
    ));
    let expected = Kept {
        interface: 0,
        link: LinkType::ETHERNET,
        stamp_ns: Some(1_000_002_000),
        data: vec![0xab, 0xcd],
        original_len: 9,
        comment: None,
    };
    assert_eq!(items(&file), [Ok(expected.clone()), Err(Stop::Truncated { offset: 42 })]);
    // A length that no packet has.
    let mut lying = file.clone();
    lying[42 + 11] = 0xff;
    let lie = Stop::Malformed { offset: 42, what: "a packet of more than 16 MiB" };
    assert_eq!(items(&lying), [Ok(expected.clone()), Err(lie)]);
    // The upper half of the link type indicates an FCS of four octets.
    let mut file = file[..42].to_vec();
    file[23] = 0x24;
    assert_eq!(items(&file), [Ok(expected)]);
    assert_eq!(items(&file[..23]), [Err(Stop::Truncated { offset: 0 })]);
    assert!(matches!(items(b"not a capture at all")[..], [Err(Stop::Malformed { offset: 0, .. })]));
}

/// A file that comes in pieces, and then not at all.
struct Broken<'a>(&'a [u8], usize);

impl std::io::Read for Broken<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let some = self.1.min(into.len()).min(self.0.len());
        if some == 0 {
            return Err(std::io::ErrorKind::ConnectionReset.into());
        }
        let (head, rest) = self.0.split_at(some);
        into[..some].copy_from_slice(head);
        self.0 = rest;
        Ok(some)
    }
}

#[test]
fn a_file_in_pieces_that_breaks_off() {
    let file = hex(&[SECTION, INTERFACE, PACKET].concat());
    for piece in 1..50 {
        let mut reader = Reader::new(Broken(&file, piece)).unwrap();
        assert_eq!(reader.next().unwrap().unwrap().data, [1, 2, 3, 4]);
        let stop = Stop::Unreadable { offset: 136, kind: std::io::ErrorKind::ConnectionReset };
        assert_eq!(reader.next(), Some(Err(stop)));
        assert_eq!(reader.next(), None);
    }
}
