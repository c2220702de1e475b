// What networks that may hear each other have in ns-3 3.37: `sharing CELL [--duration=20] [--RngRun=1]`.
//
// Each network has an access point, a station and a server behind a wire, which has always something for the station. Prints the Mbit/s of
// payload that each network's station gets from two seconds on. All that a cell does not name is alike in all.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/propagation-module.h"
#include "ns3/spectrum-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

struct Network
{
    std::string channel = "{36, 20, BAND_5GHZ, 0}"; // number, width in MHz, band, primary 20 MHz
    double ap = 0;                                  // where its access point is, in metres
    double station = 1;                             // and its station
    std::string rate = "HtMcs7";
};

struct Cell
{
    WifiStandard standard = WIFI_STANDARD_80211n;
    std::vector<Network> networks;
    bool tcp = false;
    uint32_t longest = 65535; // A-MPDU, in octets
    bool changed = false;     // whether halves of a channel share it as the standard says, for which see `KeepsWidth`
};

std::map<std::string, Cell> Cells()
{
    const WifiStandard n = WIFI_STANDARD_80211n, ac = WIFI_STANDARD_80211ac;
    const std::string at36 = "{36, 20, BAND_5GHZ, 0}", at44 = "{44, 20, BAND_5GHZ, 0}", wide = "{38, 40, BAND_5GHZ, 0}";
    const Network narrow, fast{"{42, 80, BAND_5GHZ, 0}", 0, 1, "VhtMcs9"};
    const std::vector<Network> apart{narrow, {at44, 0, 1}};
    // 26 m: -72 dBm; 40 m: -78 dBm; 80 m: -87 dBm.
    const auto away = [&](double metres) { return Network{at36, metres, metres + 1}; };
    const uint32_t vht = 64 * 1544;
    const std::vector<Network> upper{{wide, 0, 1}, {"{40, 20, BAND_5GHZ, 0}", 5, 6}};
    return {
        {"n-1-udp", {n, {narrow}}},
        {"n-2-udp", {n, {narrow, narrow}}},
        {"n-3-udp", {n, {narrow, narrow, narrow}}},
        {"n-1-tcp", {n, {narrow}, true}},
        {"n-2-tcp", {n, {narrow, narrow}, true}},
        {"ac-1-udp", {ac, {fast}, false, vht}},
        {"ac-2-udp", {ac, {fast, fast}, false, vht}},
        {"ac-3-udp", {ac, {fast, fast, fast}, false, vht}},
        {"ac-1-tcp", {ac, {fast}, true, vht}},
        {"ac-2-tcp", {ac, {fast, fast}, true, vht}},
        {"apart-udp", {n, apart}},
        {"apart-tcp", {n, apart, true}},
        {"weak-udp", {n, {narrow, away(26)}}},
        {"weak-tcp", {n, {narrow, away(26)}, true}},
        {"hidden-udp", {n, {narrow, away(80)}}},
        {"row-udp", {n, {narrow, away(40), away(80)}}},
        {"two-rates-udp", {n, {narrow, {at36, 0, 1, "HtMcs0"}}}},
        {"wide-udp", {n, {{wide, 0, 1}, narrow}}},
        {"upper-udp", {n, upper}},
        {"upper-changed-udp", {n, upper, false, 65535, true}},
    };
}

// TCP and queues as the scenarios beside it have them, where ns-3's defaults are otherwise.
void SetDefaults(const Cell& cell)
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    // Nothing is lost in a queue. A window that the receiver bounds crashes 3.37 now and then (TcpRateLinux::SkbSent).
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(500 * 1448));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize("1000p")));
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(60)));
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(4692480));
    // Access points whose beacons fall on each other lose their stations otherwise, which then drop what they have acknowledged.
    Config::SetDefault("ns3::StaWifiMac::MaxMissedBeacons", UintegerValue(1 << 30));
    Config::SetDefault("ns3::WifiMac::BE_MaxAmpduSize", UintegerValue(cell.longest));
    if (cell.changed)
    {
        // What a frame beside the primary channel leaks into that is energy, not a preamble: it is busy from -62 dBm on, not -82
        // (802.11-2020 19.3.19.5, 21.3.18.5). 3.37 has the lower one for both (HtPhy::GetCcaIndication).
        Config::SetDefault("ns3::WifiPhy::CcaSensitivity", DoubleValue(-62));
    }
}

// A radio that wins its primary channel while the rest of its channel is busy draws a new backoff and keeps its width (802.11-2020 10.23.2.5,
// the last choice there). ns-3's sends in what is idle.
class KeepsWidth : public FrameExchangeManager
{
  public:
    KeepsWidth(Ptr<FrameExchangeManager> sends, uint16_t width)
        : m_sends(sends),
          m_width(width)
    {
    }

    bool StartTransmission(Ptr<Txop> winner, uint16_t idle) override
    {
        // Beacons, of 20 MHz, have a queue without QoS.
        if (!winner->IsQosTxop() || idle >= m_width)
        {
            return m_sends->StartTransmission(winner, idle);
        }
        winner->NotifyChannelReleased(0);
        return false;
    }

    void NotifyInternalCollision(Ptr<Txop> loser) override
    {
        m_sends->NotifyInternalCollision(loser);
    }

  private:
    Ptr<FrameExchangeManager> m_sends;
    uint16_t m_width;
};

// A radio that cannot receive a frame since that is wider than its channel waits EIFS behind it, as behind any that ends with an error
// (802.11-2020 10.3.2.3.7, UnsupportedRate), and so for its answer too, which is in the other half. ns-3's does not.
void OweEifs(Ptr<WifiPhy> phy, Ptr<ChannelAccessManager> access, Ptr<const Packet>, WifiPhyRxfailureReason why)
{
    if (why == UNSUPPORTED_SETTINGS)
    {
        // How long the frame lasts is said next.
        Simulator::ScheduleNow([phy, access] {
            Simulator::Schedule(phy->GetDelayUntilIdle(), &ChannelAccessManager::NotifyRxEndErrorNow, access);
        });
    }
}

void Change(const NetDeviceContainer& radios)
{
    for (uint32_t i = 0; i < radios.GetN(); ++i)
    {
        const auto mac = DynamicCast<WifiNetDevice>(radios.Get(i))->GetMac();
        const auto phy = mac->GetWifiPhy();
        const auto access = mac->GetChannelAccessManager();
        phy->TraceConnectWithoutContext("PhyRxDrop", MakeBoundCallback(OweEifs, phy, access));
        access->SetupFrameExchangeManager(CreateObject<KeepsWidth>(mac->GetFrameExchangeManager(), phy->GetChannelWidth()));
    }
}

// The radios of a network: the station's, and the access point's.
NetDeviceContainer Radios(const Cell& cell, size_t index, Ptr<Node> station, Ptr<Node> ap, Ptr<SpectrumChannel> air)
{
    const Network& network = cell.networks[index];
    const bool ac = cell.standard == WIFI_STANDARD_80211ac;
    const auto places = CreateObject<ListPositionAllocator>();
    // Networks beside each other, not one in another.
    places->Add(Vector(network.station, 0.01 * index, 0));
    places->Add(Vector(network.ap, 0.01 * index, 0));
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.SetPositionAllocator(places);
    mobility.Install(NodeContainer(station, ap));

    SpectrumWifiPhyHelper phy;
    phy.SetChannel(air);
    phy.Set("ChannelSettings", StringValue(network.channel));
    phy.Set("TxPowerStart", DoubleValue(17));
    phy.Set("TxPowerEnd", DoubleValue(17));
    phy.Set("Antennas", UintegerValue(ac ? 2 : 1));
    phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(ac ? 2 : 1));
    phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(ac ? 2 : 1));
    WifiHelper wifi;
    wifi.SetStandard(cell.standard);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(network.rate));
    WifiMacHelper mac;
    const SsidValue ssid(Ssid("network " + std::to_string(index)));
    mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
    NetDeviceContainer devices = wifi.Install(phy, mac, station);
    mac.SetType("ns3::ApWifiMac", "Ssid", ssid);
    devices.Add(wifi.Install(phy, mac, ap));
    return devices;
}

Ptr<PacketSink> Flow(const Cell& cell, size_t index, Ptr<Node> server, Ptr<Node> station, Ipv4Address address)
{
    const std::string protocol = cell.tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
    const InetSocketAddress there(address, 5000);
    ApplicationContainer source;
    if (cell.tcp)
    {
        BulkSendHelper stream(protocol, there);
        stream.SetAttribute("SendSize", UintegerValue(1448));
        source = stream.Install(server);
    }
    else
    {
        OnOffHelper datagrams(protocol, there);
        datagrams.SetConstantRate(DataRate(cell.standard == WIFI_STANDARD_80211ac ? 800000000 : 75000000), 1472);
        source = datagrams.Install(server);
    }
    source.Start(Seconds(1 + 0.1 * index));
    return PacketSinkHelper(protocol, there).Install(station).Get(0)->GetObject<PacketSink>();
}

// Questions for addresses have no second try on the air.
void Knows(Ptr<NetDevice> device, Ipv4Address address, Address hardware)
{
    const auto ip = device->GetNode()->GetObject<Ipv4L3Protocol>();
    const auto entry = ip->GetInterface(ip->GetInterfaceForDevice(device))->GetArpCache()->Add(address);
    entry->SetMacAddress(hardware);
    entry->MarkPermanent();
}

void Run(const Cell& cell, double duration)
{
    SetDefaults(cell);
    const auto losses = CreateObject<LogDistancePropagationLossModel>();
    losses->SetPathLossExponent(3);
    losses->SetReference(1, 46.73);
    const auto air = CreateObject<MultiModelSpectrumChannel>();
    air->AddPropagationLossModel(losses);
    air->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    wire.SetChannelAttribute("Delay", StringValue("1ms"));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000p"));

    std::vector<Ptr<PacketSink>> sinks;
    for (size_t i = 0; i < cell.networks.size(); ++i)
    {
        const auto station = CreateObject<Node>(), ap = CreateObject<Node>(), server = CreateObject<Node>();
        const NetDeviceContainer radios = Radios(cell, i, station, ap, air);
        if (cell.changed)
        {
            Change(radios);
        }
        const NetDeviceContainer ends = wire.Install(ap, server);
        InternetStackHelper().Install(NodeContainer(station, ap, server));
        const auto subnet = [i](const char* kind) { return Ipv4Address((kind + std::to_string(i + 1) + ".0").c_str()); };
        const auto onAir = Ipv4AddressHelper(subnet("10.0."), "255.255.255.0").Assign(radios);
        const auto onWire = Ipv4AddressHelper(subnet("10.1."), "255.255.255.0").Assign(ends);
        // FQ-CoDel, which ns-3 puts above every device that gets an address.
        TrafficControlHelper().Uninstall(radios);
        TrafficControlHelper().Uninstall(ends);
        const auto routes = [](Ptr<Node> of) { return Ipv4StaticRoutingHelper().GetStaticRouting(of->GetObject<Ipv4>()); };
        routes(station)->SetDefaultRoute(onAir.GetAddress(1), 1);
        routes(server)->SetDefaultRoute(onWire.GetAddress(0), 1);
        for (uint32_t end = 0; end < 2; ++end)
        {
            Knows(radios.Get(1 - end), onAir.GetAddress(end), radios.Get(end)->GetAddress());
        }
        sinks.push_back(Flow(cell, i, server, station, onAir.GetAddress(0)));
    }
    std::vector<uint64_t> before;
    Simulator::Schedule(Seconds(2), [&] {
        for (const auto& sink : sinks)
        {
            before.push_back(sink->GetTotalRx());
        }
    });
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    for (size_t i = 0; i < sinks.size(); ++i)
    {
        std::printf("%.3f ", double(sinks[i]->GetTotalRx() - before[i]) * 8e-6 / (duration - 2));
    }
    std::printf("\n");
    Simulator::Destroy();
}

} // namespace

int main(int argc, char* argv[])
{
    std::string name;
    double duration = 20;
    CommandLine command(__FILE__);
    command.AddNonOption("cell", "the name of a cell", name);
    command.AddValue("duration", "seconds of simulated time, of which the first two are left out", duration);
    command.Parse(argc, argv);
    const auto cells = Cells();
    const auto found = cells.find(name);
    if (found == cells.end())
    {
        std::fprintf(stderr, "sharing: no cell %s\n", name.c_str());
        return 2;
    }
    Run(found->second, duration);
    return 0;
}
