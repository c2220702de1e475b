// Worlds for ns-3 3.37 in which one thing is wrong, and captures of them: `ns3 WORLD FOLDER`.
//
// One access point, stations, a monitor beside the access point, a server behind a wire. Writes WORLD.air.pcap (the monitor's:
// radiotap), WORLD.server.pcap (the wire at the server: PPP) and WORLD.station.pcap (the first station's IP). Everything that
// a world does not name is ns-3's default. Prints what each flow carried in Mbit/s and, of TCP, its median round trip in ms.

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
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

struct Station
{
    std::string rate = "OfdmRate54Mbps";
    double snr = 45; // of its frames at the access point and the other way round, in dB
};

struct World
{
    WifiStandard standard = WIFI_STANDARD_80211a;
    std::vector<Station> stations{{}};
    bool tcp = true;
    bool upload = false;
    bool hidden = false;         // stations do not hear each other
    bool jammed = false;         // for 40 ms in each 400 ms the stations hear nothing, as beside something that is not Wi-Fi
    bool leaves = false;         // the first station is out of reach from 1.5 to 3 s
    double heard = 0;            // signal of the stations' frames at the monitor; as at the access point, if none
    bool aggregates = true;      // A-MPDUs, of 802.11n and later
    bool rts = false;            // before all data
    uint32_t payload = 1448;     // of a packet, in octets
    double pause = 0;            // of the program in each 100 ms, in ms
    double mbps = 0;             // that the program writes; all that it can, if none
    uint32_t window = 1 << 20;   // the receiver's buffer, in octets
    uint32_t sends = 1 << 20;    // the sender's buffer, in octets
    uint32_t threshold = 40000;  // at which slow start ends, in octets
    std::string queue = "40p";   // of each radio
    std::string wire = "1Gbps";  // rate to the server
    double delay = 5;            // of the wire, in ms
    double loss = 0;             // of packets on the wire towards the access point
    std::string line = "100p";   // of the wire's queue at each end
    double apart = 0.01;         // of the beginnings of flows, in seconds
    double duration = 4;         // in seconds, the first half of which is for the association
};

const std::map<std::string, World>& Worlds()
{
    const auto world = [](auto change) {
        World made;
        change(made);
        return made;
    };
    const auto crowd = [world](size_t many, auto change) {
        return world([=](World& w) {
            w.stations.assign(many, Station());
            w.upload = true;
            w.apart = 0.02;
            change(w);
        });
    };
    const auto far = [world](double delay, bool upload, auto change) {
        return world([=](World& w) {
            w.delay = delay;
            w.upload = upload;
            w.duration = 2;
            change(w);
        });
    };
    const auto queued = [world](auto change) {
        return world([=](World& w) {
            w.stations = {{"OfdmRate12Mbps", 16}};
            w.queue = "20p";
            w.delay = 10;
            w.threshold = 1 << 30;
            w.duration = 3;
            change(w);
        });
    };
    static const std::map<std::string, World> worlds{
        {"sound", world([](World& w) {
             w.stations = {{"OfdmRate24Mbps", 20}};
             w.duration = 2;
         })},
        {"sound-n", world([](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations = {{"HtMcs7"}};
             w.duration = 1.6;
         })},
        {"weak", world([](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations = {{"HtMcs3", 13}};
             w.duration = 2;
         })},
        {"hidden", world([](World& w) {
             w.stations = {{"OfdmRate24Mbps", 20}, {"OfdmRate24Mbps", 20}};
             w.hidden = w.upload = true;
             w.tcp = false;
         })},
        {"anomaly", world([](World& w) {
             w.stations = {{"OfdmRate54Mbps"}, {"OfdmRate6Mbps", 12}};
             w.upload = true;
             w.tcp = false;
         })},
        {"contention", world([](World& w) {
             w.stations = std::vector<Station>(5);
             w.upload = true;
             w.tcp = false;
             w.duration = 1.8;
         })},
        {"alone", world([](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations = {{"HtMcs7"}};
             w.aggregates = false;
             w.duration = 1.3;
         })},
        {"too-fast", world([](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations = {{"HtMcs7", 18.8}};
             w.duration = 2.5;
         })},
        {"slow", world([](World& w) {
             w.stations = {{"OfdmRate12Mbps", 40}};
             w.queue = "20p";
             w.duration = 2;
         })},
        {"overhead", world([](World& w) {
             w.rts = w.upload = true;
             w.tcp = false;
             w.payload = 200;
             w.duration = 1;
         })},
        {"receiver", world([](World& w) {
             w.window = 16 << 10;
             w.delay = 20;
             w.duration = 3;
         })},
        {"program", world([](World& w) {
             w.mbps = 20;
             w.pause = 90;
         })},
        {"stream", world([](World& w) { w.mbps = 4; })},
        {"wire-loss", world([](World& w) {
             w.loss = 0.02;
             w.delay = 20;
             w.duration = 3.2;
         })},
        {"wire-rate", world([](World& w) {
             w.wire = "5Mbps";
             w.duration = 3;
         })},
        {"queue", world([](World& w) {
             w.stations = {{"OfdmRate12Mbps", 16}};
             w.queue = "1000p";
             w.threshold = 1 << 30;
             w.duration = 3;
         })},
        {"queue-up", world([](World& w) {
             w.stations = {{"OfdmRate12Mbps", 16}};
             w.upload = true;
             w.queue = "1000p";
             w.threshold = 1 << 30;
             w.duration = 2.5;
         })},
        {"sound-ac", world([](World& w) {
             w.standard = WIFI_STANDARD_80211ac;
             w.stations = {{"VhtMcs8"}};
             w.duration = 1;
         })},
        {"sound-ax", world([](World& w) {
             w.standard = WIFI_STANDARD_80211ax;
             w.stations = {{"HeMcs9"}};
             w.upload = true;
             w.duration = 0.9;
         })},
        {"jammed", world([](World& w) {
             w.stations = {{"OfdmRate24Mbps", 20}};
             w.jammed = true;
             w.duration = 2.3;
         })},
        {"away", world([](World& w) {
             w.stations = {{"OfdmRate24Mbps", 20}};
             w.upload = w.leaves = true;
             w.tcp = false;
             w.mbps = 2;
         })},
        {"far-monitor", world([](World& w) {
             w.stations = {{"OfdmRate24Mbps", 20}};
             w.upload = true;
             w.tcp = false;
             w.heard = 9.3;
             w.duration = 1.2;
         })},
        {"held-up", world([](World& w) {
             w.sends = 1448;
             w.upload = true;
         })},
        {"held", world([](World& w) { w.sends = 1448; })},
        // Crowds: their connections begin apart.
        {"crowd", crowd(10, [](World& w) { w.duration = 2; })},
        {"crowd-alone", crowd(1, [](World& w) { w.duration = 4; })},
        {"crowd-n", crowd(8, [](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations.assign(8, {"HtMcs5", 40});
             w.duration = 1.7;
         })},
        {"crowd-n-alone", crowd(1, [](World& w) {
             w.standard = WIFI_STANDARD_80211n;
             w.stations = {{"HtMcs5", 40}};
             w.duration = 4;
         })},
        {"crowd-calls", crowd(10, [](World& w) {
             w.tcp = false;
             w.payload = 160;
             w.mbps = 0.064;
             w.apart = 0.0137;
             w.duration = 2.5;
         })},
        // One slow station among fast ones.
        {"one-slow", crowd(4, [](World& w) {
             w.tcp = false;
             w.stations.push_back({"OfdmRate6Mbps", 12});
             w.duration = 2;
         })},
        {"one-slow-not", crowd(5, [](World& w) {
             w.tcp = false;
             w.duration = 4;
         })},
        {"one-slow-of-three", crowd(2, [](World& w) {
             w.tcp = false;
             w.stations.push_back({"OfdmRate9Mbps", 13});
             w.duration = 1.7;
         })},
        {"one-slow-of-three-not", crowd(3, [](World& w) {
             w.tcp = false;
             w.duration = 4;
         })},
        // Small windows of either end, and the same ways with large ones.
        {"sends-little", far(20, true, [](World& w) { w.sends = 16 << 10; })},
        {"sends-little-down", far(15, false, [](World& w) { w.sends = 24 << 10; })},
        {"takes-little", far(15, true, [](World& w) { w.window = 20 << 10; })},
        {"takes-little-down", far(15, false, [](World& w) { w.window = 24 << 10; })},
        {"large-up-15", far(15, true, [](World& w) { w.duration = 8; })},
        {"large-up-20", far(20, true, [](World& w) { w.duration = 8; })},
        {"large-down-15", far(15, false, [](World& w) { w.duration = 8; })},
        {"far-sound", far(20, true, [](World& w) { w.duration = 1.5; })},
        {"far-sound-down", far(15, false, [](World& w) { w.duration = 1.5; })},
        // Long queues at low rates, and the same rates with short ones.
        {"queue-deep", queued([](World& w) { w.queue = "400p"; })},
        {"queue-deep-up", queued([](World& w) {
             w.queue = "400p";
             w.upload = true;
         })},
        {"queue-short", queued([](World&) {})},
        {"queue-short-up", queued([](World& w) { w.upload = true; })},
        {"queue-wire", world([](World& w) {
             w.wire = "3Mbps";
             w.line = "150p";
             w.threshold = 1 << 30;
             w.duration = 3.5;
         })},
        // What older worlds would carry without what is wrong in them.
        {"anomaly-not", crowd(2, [](World& w) {
             w.tcp = false;
             w.duration = 4;
         })},
        {"overhead-not", crowd(1, [](World& w) {
             w.tcp = false;
             w.payload = 200;
             w.duration = 2;
         })},
        {"queue-wire-not", world([](World& w) { w.duration = 8; })},
    };
    return worlds;
}

// What is told of the flows at the end: their sinks, and the round trips of all connections.
std::vector<Ptr<PacketSink>> sinks;
std::vector<double> trips;

void Trip(Time, Time now)
{
    trips.push_back(now.GetSeconds() * 1e3);
}

void SetDefaults(const World& world, uint32_t octets)
{
    Config::SetDefault("ns3::PcapFileWrapper::CaptureSize", UintegerValue(octets));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(world.payload));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold", UintegerValue(world.threshold));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(world.sends));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(world.window));
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize(world.queue)));
    // No packet grows too old for it (500 ms).
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(60)));
    if (world.stations.size() > 5)
    {
        // In a crowd questions for addresses and first segments are lost, and a second is long.
        Config::SetDefault("ns3::ArpCache::WaitReplyTimeout", TimeValue(Seconds(0.05)));
        Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(Seconds(0.2)));
    }
    if (world.rts)
    {
        Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(0));
    }
}

// Loss between nodes: from the signal that a station wants at the access point, and so at the monitor.
Ptr<MatrixPropagationLossModel> Losses(const World& world, NodeContainer stations, Ptr<Node> ap, Ptr<Node> monitor)
{
    const double power = 16.0206, noise = -84; // dBm: ns-3's default, and 17 dB above thermal noise of 20 MHz
    const auto losses = CreateObject<MatrixPropagationLossModel>();
    losses->SetDefaultLoss(world.hidden ? 200 : 60);
    const auto at = [](Ptr<Node> node) { return node->GetObject<MobilityModel>(); };
    losses->SetLoss(at(ap), at(monitor), 50);
    for (uint32_t i = 0; i < stations.GetN(); ++i)
    {
        const double loss = power - noise - world.stations[i].snr;
        losses->SetLoss(at(stations.Get(i)), at(ap), loss);
        losses->SetLoss(at(stations.Get(i)), at(monitor), world.heard == 0 ? loss : power - noise - world.heard);
        const auto set = [=, station = at(stations.Get(i))](double when, Ptr<Node> from, double now, bool both) {
            Simulator::Schedule(Seconds(when), [=] { losses->SetLoss(at(from), station, now, both); });
        };
        for (double when = 0.8; world.jammed && when < world.duration; when += 0.4)
        {
            set(when, ap, 200, false);
            set(when + 0.04, ap, loss, false);
        }
        for (const auto& other : {ap, monitor})
        {
            if (world.leaves)
            {
                set(1.5, other, 200, true);
                set(3, other, loss, true);
            }
        }
    }
    return losses;
}

// Devices of all stations, then the access point's and the monitor's.
NetDeviceContainer Radios(const World& world, NodeContainer stations, Ptr<Node> ap, Ptr<Node> monitor, const std::string& air)
{
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(NodeContainer(stations, NodeContainer(ap, monitor)));
    const auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    channel->SetPropagationLossModel(Losses(world, stations, ap, monitor));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    phy.SetPcapDataLinkType(WifiPhyHelper::DLT_IEEE802_11_RADIO);
    phy.Set("ChannelSettings", StringValue("{36, 20, BAND_5GHZ, 0}"));
    // More noise than by default, so that weak signals are above the least that ns-3 detects.
    phy.Set("RxNoiseFigure", DoubleValue(17));
    WifiHelper wifi;
    wifi.SetStandard(world.standard);
    WifiMacHelper mac;
    const UintegerValue most(world.aggregates ? 65535 : 0);
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < stations.GetN(); ++i)
    {
        wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(world.stations[i].rate));
        mac.SetType("ns3::StaWifiMac", "BE_MaxAmpduSize", most);
        devices.Add(wifi.Install(phy, mac, stations.Get(i)));
    }
    mac.SetType("ns3::ApWifiMac", "BE_MaxAmpduSize", most);
    devices.Add(wifi.Install(phy, mac, ap));
    mac.SetType("ns3::AdhocWifiMac");
    devices.Add(wifi.Install(phy, mac, monitor));
    phy.EnablePcap(air, devices.Get(devices.GetN() - 1), true, true);
    return devices;
}

void Flow(const World& world, uint16_t port, Ptr<Node> from, Ptr<Node> to, Ipv4Address address)
{
    const std::string protocol = world.tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
    const InetSocketAddress there(address, port);
    ApplicationContainer source;
    if (world.tcp && world.mbps == 0)
    {
        BulkSendHelper bulk(protocol, there);
        bulk.SetAttribute("SendSize", UintegerValue(world.payload));
        source = bulk.Install(from);
    }
    else
    {
        OnOffHelper stream(protocol, there);
        stream.SetConstantRate(DataRate(uint64_t(1e6 * (world.mbps == 0 ? 35 : world.mbps))), world.payload);
        const auto lasts = [](double ms) {
            return StringValue("ns3::ConstantRandomVariable[Constant=" + std::to_string(1e-3 * ms) + "]");
        };
        stream.SetAttribute("OnTime", lasts(world.pause == 0 ? 1e6 : 100 - world.pause));
        stream.SetAttribute("OffTime", lasts(world.pause));
        source = stream.Install(from);
    }
    source.Start(Seconds(0.5 + world.apart * (port - 5000)));
    source.Stop(Seconds(world.duration));
    const auto sink = PacketSinkHelper(protocol, InetSocketAddress(Ipv4Address::GetAny(), port)).Install(to);
    sinks.push_back(DynamicCast<PacketSink>(sink.Get(0)));
}

void Run(const World& world, const std::string& path, uint32_t octets)
{
    SetDefaults(world, octets);
    NodeContainer stations;
    stations.Create(world.stations.size());
    const auto ap = CreateObject<Node>(), monitor = CreateObject<Node>(), server = CreateObject<Node>();
    const NetDeviceContainer radios = Radios(world, stations, ap, monitor, path + ".air.pcap");

    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue(world.wire));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(world.line));
    wire.SetChannelAttribute("Delay", TimeValue(Seconds(1e-3 * world.delay)));
    const NetDeviceContainer ends = wire.Install(ap, server);
    if (world.loss > 0)
    {
        const auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(world.loss);
        DynamicCast<PointToPointNetDevice>(ends.Get(0))->SetReceiveErrorModel(errors);
    }
    wire.EnablePcap(path + ".server.pcap", ends.Get(1), false, true);

    InternetStackHelper internet;
    internet.Install(NodeContainer(stations, NodeContainer(ap, server)));
    NetDeviceContainer addressed;
    for (uint32_t i = 0; i + 1 < radios.GetN(); ++i)
    {
        addressed.Add(radios.Get(i));
    }
    const auto onAir = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(addressed);
    const auto onWire = Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(ends);
    // FQ-CoDel, which ns-3 puts above every device that gets an address.
    TrafficControlHelper().Uninstall(addressed);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    internet.EnablePcapIpv4(path + ".station.pcap", stations.Get(0)->GetObject<Ipv4>(), 1, true);
    for (uint32_t i = 0; i < stations.GetN(); ++i)
    {
        const auto station = stations.Get(i);
        world.upload ? Flow(world, 5000 + i, station, server, onWire.GetAddress(1))
                     : Flow(world, 5000 + i, server, station, onAir.GetAddress(i));
    }
    Simulator::Schedule(Seconds(0.7), [] {
        Config::ConnectWithoutContextFailSafe("/NodeList/*/$ns3::TcpL4Protocol/SocketList/*/RTT", MakeCallback(&Trip));
    });
    Simulator::Stop(Seconds(world.duration));
    Simulator::Run();
    for (uint32_t i = 0; i < sinks.size(); ++i)
    {
        std::printf("%.4f ", 8e-6 * double(sinks[i]->GetTotalRx()) / (world.duration - 0.5 - world.apart * i));
    }
    std::sort(trips.begin(), trips.end());
    std::printf("%.2f\n", trips.empty() ? 0 : trips[trips.size() / 2]);
    Simulator::Destroy();
}

} // namespace

int main(int argc, char* argv[])
{
    std::string name, folder = ".";
    uint32_t octets = 65535;
    CommandLine command(__FILE__);
    command.AddNonOption("world", "the name of a world", name);
    command.AddNonOption("folder", "where its captures go", folder);
    command.AddValue("octets", "that are kept of each packet", octets);
    command.Parse(argc, argv);
    const auto found = Worlds().find(name);
    if (found == Worlds().end())
    {
        std::fprintf(stderr, "ns3: no world %s; there are", name.c_str());
        for (const auto& world : Worlds())
        {
            std::fprintf(stderr, " %s", world.first.c_str());
        }
        std::fprintf(stderr, "\n");
        return 2;
    }
    Run(found->second, folder + "/" + name, octets);
    return 0;
}
