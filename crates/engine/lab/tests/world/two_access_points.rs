//! A room with two access points of one network and a laptop that begins at the first, `west`.

/// What differs from room to room.
pub(crate) struct Room<'a> {
    /// How long the run lasts.
    pub(crate) duration: &'a str,
    /// Where the second access point and the laptop are, in metres from the first.
    pub(crate) east_m: u32,
    /// See `east_m`.
    pub(crate) laptop_m: u32,
    /// What else `air` has, the first access point and the laptop, as TOML.
    pub(crate) air: &'a str,
    /// See `air`.
    pub(crate) west: &'a str,
    /// See `air`.
    pub(crate) laptop: &'a str,
    /// The flow.
    pub(crate) flow: &'a str,
}

impl Room<'_> {
    /// The scenario.
    pub(crate) fn scenario(&self) -> String {
        let Self { duration, east_m, laptop_m, air, west, laptop, flow } = self;
        format!(
            r#"
        title = "a room"
        duration = "{duration}"
        air = {{ standard = "802.11ac", band = "5 GHz", width = "20 MHz" {air} }}
        [[ap]]
        name = "west"
        ssid = "room"
        channel = 36
        adapter = "edca-ac"
        position = ["0 m", "0 m"]
        {west}
        [[ap]]
        name = "east"
        ssid = "room"
        channel = 44
        adapter = "edca-ac"
        position = ["{east_m} m", "0 m"]
        [[station]]
        name = "laptop"
        ap = "west"
        host = "linux-6.18"
        adapter = "edca-ac"
        position = ["{laptop_m} m", "0 m"]
        {laptop}
        [[server]]
        name = "server"
        host = "linux-6.18"
        link = {{ rate = "1 Gbit/s", delay = "2 ms" }}
        [[flow]]
        {flow}
        "#
        )
    }
}
