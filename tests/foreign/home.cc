// The home of tests/hidden_worlds.py for ns-3 3.37: `home --near=5 --far=12 --delay=10 --limit=300`; `--help` tells what else.
//
// Two laptops at 802.11n: a download to the near one, an upload of the far one, a call to that. What ns-3 can be told of what
// airloom's scenario says, it is told: powers, noise, path loss, queues, TCP. Prints a line "OF METRIC VALUE" for each
// number that would be measured, with airloom's names of metrics.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/propagation-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

struct Home
{
    double near = 5, far = 12;                          // metres to the access point
    double delay = 10;                                  // of the wire, in ms
    uint32_t limit = 300;                               // packets of the access point's queue
    std::string manager = "ns3::MinstrelHtWifiManager"; // chooses rates
    std::string mode;                                   // the one rate of ConstantRateWifiManager
    double neighbour = 0;                               // Mbit/s that another network's access point sends; none
    double away = 6;                                    // metres to that, beyond the far laptop if hidden
    bool hidden = false;                                // it stands beyond the far laptop, and not beside
};

const double BEGIN = 1, END = 5; // seconds: associated by then; as long as the scenario is

std::vector<double> downloadTrips, uploadTrips, delays; // in ms
double busy = 0;                                        // seconds at the access point's radio

void Trip(std::vector<double>* trips, Time, Time now)
{
    trips->push_back(now.GetSeconds() * 1e3);
}

void Arrived(Ptr<const Packet> packet)
{
    SeqTsHeader header;
    packet->PeekHeader(header);
    delays.push_back((Simulator::Now() - header.GetTs()).GetSeconds() * 1e3);
}

void Was(Time start, Time duration, WifiPhyState state)
{
    const double from = std::max(start.GetSeconds(), BEGIN), to = std::min((start + duration).GetSeconds(), END);
    busy += state == WifiPhyState::IDLE ? 0 : std::max(to - from, 0.0);
}

void SetDefaults()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(8 << 20));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    // Their clock has milliseconds; without them each round trip is taken by itself.
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(60)));
    // mac80211's, of a laptop's own packets.
    Config::SetDefault("ns3::FqCoDelQueueDisc::Target", StringValue("20ms"));
}

Ptr<YansWifiChannel> Air()
{
    const auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    const auto loss = CreateObject<LogDistancePropagationLossModel>();
    loss->SetPathLossExponent(3.5);
    loss->SetReference(1, 46.73); // free space at 5.18 GHz
    channel->SetPropagationLossModel(loss);
    return channel;
}

// The device of a node at a place; `limit` is of the packets that its driver holds.
Ptr<WifiNetDevice> Radio(const Home& home, Ptr<YansWifiChannel> air, const std::string& type, Ptr<Node> node, Vector place,
                         const std::string& ssid, const std::string& limit)
{
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(node);
    node->GetObject<MobilityModel>()->SetPosition(place);
    YansWifiPhyHelper phy;
    phy.SetChannel(air);
    phy.Set("ChannelSettings", StringValue("{38, 40, BAND_5GHZ, 0}"));
    phy.Set("TxPowerStart", DoubleValue(17));
    phy.Set("TxPowerEnd", DoubleValue(17));
    phy.Set("RxNoiseFigure", DoubleValue(7));
    for (const std::string each : {"Antennas", "MaxSupportedTxSpatialStreams", "MaxSupportedRxSpatialStreams"})
    {
        phy.Set(each, UintegerValue(2));
    }
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", StringValue(limit));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211n);
    wifi.ConfigHtOptions("ShortGuardIntervalSupported", BooleanValue(true));
    home.mode.empty() ? wifi.SetRemoteStationManager(home.manager)
                      : wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(home.mode));
    WifiMacHelper mac;
    // 32 packets in an A-MPDU.
    mac.SetType(type, "Ssid", SsidValue(Ssid(ssid)), "BE_MaxAmpduSize", UintegerValue(32 * 1540));
    return DynamicCast<WifiNetDevice>(wifi.Install(phy, mac, node).Get(0));
}

// A network on the channel that the home does not know of: its access point sends to a laptop beside it.
void Neighbour(const Home& home, Ptr<YansWifiChannel> air)
{
    NodeContainer nodes;
    nodes.Create(2);
    const auto at = [&home](double further) {
        return home.hidden ? Vector(home.far + home.away + further, 0, 0) : Vector(0, home.away + further, 0);
    };
    const auto from = Radio(home, air, "ns3::ApWifiMac", nodes.Get(0), at(0), "neighbour", "500p");
    const auto to = Radio(home, air, "ns3::StaWifiMac", nodes.Get(1), at(3), "neighbour", "500p");
    PacketSocketHelper().Install(nodes);
    PacketSocketAddress address;
    address.SetSingleDevice(from->GetIfIndex());
    address.SetPhysicalAddress(to->GetAddress());
    address.SetProtocol(1);
    const auto client = CreateObject<PacketSocketClient>();
    client->SetAttribute("PacketSize", UintegerValue(1470));
    client->SetAttribute("MaxPackets", UintegerValue(0));
    client->SetAttribute("Interval", TimeValue(Seconds(1470 * 8e-6 / home.neighbour)));
    client->SetRemote(address);
    client->SetStartTime(Seconds(BEGIN - 0.1));
    nodes.Get(0)->AddApplication(client);
}

Ptr<PacketSink> Transfer(uint16_t port, Ptr<Node> from, Ptr<Node> to, Ipv4Address address, std::vector<double>* trips)
{
    const std::string protocol = "ns3::TcpSocketFactory";
    BulkSendHelper bulk(protocol, InetSocketAddress(address, port));
    const auto source = DynamicCast<BulkSendApplication>(bulk.Install(from).Get(0));
    source->SetStartTime(Seconds(BEGIN));
    Simulator::Schedule(Seconds(BEGIN + 1e-6), [=] {
        source->GetSocket()->TraceConnectWithoutContext("RTT", MakeBoundCallback(&Trip, trips));
    });
    const auto sink = PacketSinkHelper(protocol, InetSocketAddress(Ipv4Address::GetAny(), port)).Install(to).Get(0);
    return DynamicCast<PacketSink>(sink);
}

void Call(Ptr<Node> from, Ptr<Node> to, Ipv4Address address)
{
    UdpClientHelper client(address, 6000);
    client.SetAttribute("MaxPackets", UintegerValue(1 << 30));
    client.SetAttribute("PacketSize", UintegerValue(1470));
    client.SetAttribute("Interval", TimeValue(Seconds(1470 * 8e-6)));
    client.Install(from).Start(Seconds(BEGIN));
    UdpServerHelper(6000).Install(to).Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&Arrived));
}

void Say(const char* of, const char* kind, std::vector<double>& times)
{
    std::sort(times.begin(), times.end());
    for (const auto& [name, part] : {std::pair("median", 0.5), std::pair("p95", 0.95)})
    {
        std::printf("%s %s_%s_ms %.3f\n", of, kind, name, times.empty() ? 0 : times[size_t(part * (times.size() - 1))]);
    }
}

void Run(const Home& home)
{
    SetDefaults();
    const auto ap = CreateObject<Node>(), near = CreateObject<Node>(), far = CreateObject<Node>();
    const auto server = CreateObject<Node>();
    const auto air = Air();
    const auto radio = Radio(home, air, "ns3::ApWifiMac", ap, Vector(0, 0, 0), "home", "123p");
    NetDeviceContainer radios(radio);
    radios.Add(Radio(home, air, "ns3::StaWifiMac", near, Vector(home.near, 0, 0), "home", "64p"));
    radios.Add(Radio(home, air, "ns3::StaWifiMac", far, Vector(home.far, 0, 0), "home", "64p"));
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("200Mbps"));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000p"));
    wire.SetChannelAttribute("Delay", TimeValue(Seconds(1e-3 * home.delay)));
    const NetDeviceContainer ends = wire.Install(ap, server);
    InternetStackHelper().Install(NodeContainer(ap, near, far, server));
    TrafficControlHelper fifo;
    fifo.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", QueueSizeValue(QueueSize(PACKETS, home.limit)));
    fifo.Install(radio);
    const auto onAir = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(radios);
    const auto onWire = Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(ends);
    TrafficControlHelper().Uninstall(ends);
    const auto route = [](Ptr<Node> node, Ipv4Address by) {
        Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>())->SetDefaultRoute(by, 1);
    };
    route(near, onAir.GetAddress(0));
    route(far, onAir.GetAddress(0));
    route(server, onWire.GetAddress(0));
    NeighborCacheHelper().PopulateNeighborCache();
    if (home.neighbour > 0)
    {
        // Now, since what has no address would end the helper.
        Neighbour(home, air);
    }

    const auto download = Transfer(5000, server, near, onAir.GetAddress(1), &downloadTrips);
    const auto upload = Transfer(5001, far, server, onWire.GetAddress(1), &uploadTrips);
    Call(server, far, onAir.GetAddress(2));
    radio->GetPhy()->GetState()->TraceConnectWithoutContext("State", MakeCallback(&Was));
    Simulator::Stop(Seconds(END));
    Simulator::Run();
    std::printf("download goodput_mbps %.4f\n", 8e-6 * double(download->GetTotalRx()) / (END - BEGIN));
    Say("download", "rtt", downloadTrips);
    std::printf("upload goodput_mbps %.4f\n", 8e-6 * double(upload->GetTotalRx()) / (END - BEGIN));
    Say("upload", "rtt", uploadTrips);
    std::printf("call goodput_mbps %.4f\n", 1470 * 8e-6 * double(delays.size()) / (END - BEGIN));
    Say("call", "delay", delays);
    std::printf("run airtime_idle %.4f\n", 1 - busy / (END - BEGIN));
    Simulator::Destroy();
}

} // namespace

int main(int argc, char* argv[])
{
    Home home;
    CommandLine command(__FILE__);
    command.AddValue("near", "metres to the laptop that downloads", home.near);
    command.AddValue("far", "metres to the laptop that uploads", home.far);
    command.AddValue("delay", "of the wire, in ms", home.delay);
    command.AddValue("limit", "packets of the access point's queue", home.limit);
    command.AddValue("manager", "what chooses rates", home.manager);
    command.AddValue("mode", "the one rate there is, such as HtMcs4", home.mode);
    command.AddValue("neighbour", "Mbit/s that another network sends", home.neighbour);
    command.AddValue("away", "metres to it", home.away);
    command.AddValue("hidden", "whether it is beyond the far laptop", home.hidden);
    command.Parse(argc, argv);
    Run(home);
    return 0;
}
