// The networks of this folder's scenario files, for ns-3 3.37: `cells SCENARIO [--duration=60] [--RngRun=1] [--change=turns]`.
//
// One access point, or several on one channel, stations beside them at fixed rates, nothing lost but in collisions, a server behind a wire. Prints a
// line "flow GROUP MBPS" for each flow: payload that reached its receiver, per second from the flow's start to the end; and
// "at most MIB MiB", the most memory that was resident.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

// Stations that differ in nothing.
struct Group
{
    std::string name;
    uint32_t stations;
    std::string rate;    // both ways
    uint32_t network{0}; // in which they are; those of one network are beside each other
};

struct Scenario
{
    WifiStandard standard;
    std::string channel; // number, width in MHz, band, primary 20 MHz
    std::vector<Group> groups;
    bool upload;
    std::string congestion; // TCP's; UDP, saturated, if empty
    uint32_t window;        // the receiver's buffer in bytes
    std::string queue;      // of each radio, for all that waits there
    double start;           // of the flows, in seconds
};

std::map<std::string, Scenario> Scenarios()
{
    const std::string wide = "{38, 40, BAND_5GHZ, 0}";
    const std::vector<Group> networks{{"one", 5, "OfdmRate54Mbps", 0}, {"two", 5, "OfdmRate54Mbps", 1}};
    const Group near{"near", 1, "HtMcs15"}, nears{"near", 3, "HtMcs15"}, far{"far", 1, "HtMcs0"};
    const std::vector<Group> b{{"near", 4, "DsssRate11Mbps"}, {"far", 1, "DsssRate1Mbps"}};
    const auto n = [&](std::vector<Group> groups, bool upload) {
        return Scenario{WIFI_STANDARD_80211n, wide, groups, upload, "TcpCubic", 4 << 20, "1000p", 1};
    };
    // Half a hundred stations need two seconds to associate.
    const auto saturated = [](uint32_t stations) {
        const std::vector<Group> all{{"sta", stations, "OfdmRate54Mbps"}};
        return Scenario{WIFI_STANDARD_80211a, "{36, 20, BAND_5GHZ, 0}", all, true, "", 4 << 20, "100p", 2};
    };
    return {
        {"upload", n({near}, true)},
        {"two", n({near, far}, false)},
        {"four", n({nears, far}, false)},
        {"five", {WIFI_STANDARD_80211b, "{1, 22, BAND_2_4GHZ, 0}", b, true, "TcpNewReno", 20 * 1448, "100p", 1}},
        {"saturated-10", saturated(10)},
        {"saturated-50", saturated(50)},
        {"networks", {WIFI_STANDARD_80211a, "{36, 20, BAND_5GHZ, 0}", networks, true, "", 4 << 20, "100p", 2}},
    };
}

// A rate for each peer; ConstantRateWifiManager has one for all.
class RatePerPeer : public ConstantRateWifiManager
{
  public:
    static TypeId GetTypeId()
    {
        static const TypeId id =
            TypeId("RatePerPeer").SetParent<ConstantRateWifiManager>().AddConstructor<RatePerPeer>();
        return id;
    }

    void Set(const Address& peer, const std::string& mode)
    {
        m_modes[Mac48Address::ConvertFrom(peer)] = WifiMode(mode);
    }

  private:
    WifiTxVector DoGetDataTxVector(WifiRemoteStation* peer, uint16_t allowedWidth) override
    {
        const auto found = m_modes.find(peer->m_state->m_address);
        const WifiMode mode = found == m_modes.end() ? GetDefaultMode() : found->second;
        const bool ht = mode.GetModulationClass() == WIFI_MOD_CLASS_HT;
        return WifiTxVector(mode,
                            GetDefaultTxPowerLevel(),
                            GetPreambleForTransmission(mode.GetModulationClass(), false),
                            ht && GetShortGuardIntervalSupported(peer) ? 400 : 800,
                            GetNumberOfAntennas(),
                            ht ? 1 + mode.GetMcsValue() / 8 : 1,
                            0,
                            GetChannelWidthForTransmission(mode, allowedWidth, GetChannelWidth(peer)),
                            GetAggregation(peer));
    }

    std::map<Mac48Address, WifiMode> m_modes;
};

NS_OBJECT_ENSURE_REGISTERED(RatePerPeer);

// `--change=turns`: receivers take turns, PPDU by PPDU; FcfsWifiQueueScheduler goes by the age of their oldest packets.
class Turns : public WifiMacQueueSchedulerImpl<uint64_t>
{
  public:
    static TypeId GetTypeId()
    {
        static const TypeId id =
            TypeId("Turns").SetParent<WifiMacQueueSchedulerImpl<uint64_t>>().AddConstructor<Turns>();
        return id;
    }

  private:
    Ptr<WifiMpdu> HasToDropBeforeEnqueuePriv(AcIndex ac, Ptr<WifiMpdu> mpdu) override
    {
        const auto queue = GetWifiMacQueue(ac);
        const bool full = queue->QueueBase::GetNPackets() >= queue->GetMaxSize().GetValue();
        return full && !mpdu->GetHeader().IsMgt() ? mpdu : nullptr;
    }

    void DoNotifyEnqueue(AcIndex ac, Ptr<WifiMpdu> mpdu) override
    {
        const auto id = WifiMacQueueContainer::GetQueueId(mpdu);
        if (GetWifiMacQueue(ac)->GetNPackets(id) == 1)
        {
            SetPriority(ac, id, mpdu->GetHeader().IsMgt() ? 0 : ++m_turn);
        }
    }

    void DoNotifyDequeue(AcIndex ac, const std::list<Ptr<WifiMpdu>>& mpdus) override
    {
        const auto id = WifiMacQueueContainer::GetQueueId(mpdus.front());
        if (GetWifiMacQueue(ac)->PeekByQueueId(id) && std::get<WifiContainerQueueType>(id) != WIFI_MGT_QUEUE)
        {
            SetPriority(ac, id, ++m_turn);
        }
    }

    void DoNotifyRemove(AcIndex, const std::list<Ptr<WifiMpdu>>&) override
    {
    }

    uint64_t m_turn{0};
};

NS_OBJECT_ENSURE_REGISTERED(Turns);

// `--change=host`: hosts take 20 us before they see a packet. By then the radio is answering it, so that the medium is
// busy when a host's own packet is queued.
bool ReceiveLater(Ptr<Node> host, Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t protocol, const Address& from)
{
    const Address to = device->GetAddress();
    if (protocol == ArpL3Protocol::PROT_NUMBER)
    {
        host->GetObject<ArpL3Protocol>()->Receive(device, packet, protocol, from, to, NetDevice::PACKET_HOST);
        return true;
    }
    Simulator::Schedule(MicroSeconds(20), [host, device, packet, protocol, source = Address(from), to] {
        const auto ip = host->GetObject<Ipv4L3Protocol>();
        ip->Receive(device, packet, protocol, source, to, NetDevice::PACKET_HOST);
    });
    return true;
}

// TCP and queues as the scenario files have them, where ns-3's defaults are otherwise.
void SetDefaults(const Scenario& scenario)
{
    if (!scenario.congestion.empty())
    {
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + scenario.congestion));
    }
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(scenario.window));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize(scenario.queue)));
    // No packet grows too old for it (500 ms).
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(60)));
}

// The air of all networks.
Ptr<YansWifiChannel> Air()
{
    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    channel.AddPropagationLoss("ns3::FixedRssLossModel", "Rss", DoubleValue(-30));
    return channel.Create();
}

// Devices of all stations of a network, and the access point's last.
NetDeviceContainer Radios(const Scenario& scenario,
                          const std::string& change,
                          uint32_t network,
                          NodeContainer stations,
                          Ptr<Node> ap,
                          Ptr<YansWifiChannel> air)
{
    const bool ht = scenario.standard == WIFI_STANDARD_80211n;
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(NodeContainer(stations, NodeContainer(ap)));

    YansWifiPhyHelper phy;
    phy.SetChannel(air);
    phy.Set("ChannelSettings", StringValue(scenario.channel));
    phy.Set("Antennas", UintegerValue(ht ? 2 : 1));
    phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(ht ? 2 : 1));
    phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(ht ? 2 : 1));
    if (change == "preamble")
    {
        // Receivers begin to receive frames that collide, whose errors then ask for EIFS.
        phy.DisablePreambleDetectionModel();
    }
    WifiHelper wifi;
    wifi.SetStandard(scenario.standard);
    wifi.SetRemoteStationManager("RatePerPeer");
    if (ht)
    {
        wifi.ConfigHtOptions("ShortGuardIntervalSupported", BooleanValue(true));
    }
    WifiMacHelper mac;
    const SsidValue ssid(Ssid("network " + std::to_string(network)));
    mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
    NetDeviceContainer devices = wifi.Install(phy, mac, stations);
    mac.SetType("ns3::ApWifiMac", "Ssid", ssid);
    mac.SetMacQueueScheduler(change == "turns" ? "Turns" : "ns3::FcfsWifiQueueScheduler");
    devices.Add(wifi.Install(phy, mac, ap));

    const auto manager = [](Ptr<NetDevice> device) {
        return DynamicCast<RatePerPeer>(DynamicCast<WifiNetDevice>(device)->GetRemoteStationManager());
    };
    const Ptr<NetDevice> last = devices.Get(stations.GetN());
    uint32_t i = 0;
    for (const Group& group : scenario.groups)
    {
        for (uint32_t k = 0; group.network == network && k < group.stations; ++k, ++i)
        {
            manager(devices.Get(i))->Set(last->GetAddress(), group.rate);
            manager(last)->Set(devices.Get(i)->GetAddress(), group.rate);
        }
    }
    return devices;
}

// The flow of the station at `index`, and where it ends.
Ptr<PacketSink> Flow(const Scenario& scenario, uint32_t index, Ptr<Node> from, Ptr<Node> to, Ipv4Address address, double stop)
{
    const bool tcp = !scenario.congestion.empty();
    const std::string protocol = tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
    const uint16_t port = 5000 + index;
    PacketSinkHelper sink(protocol, InetSocketAddress(Ipv4Address::GetAny(), port));
    ApplicationContainer source;
    if (tcp)
    {
        BulkSendHelper stream(protocol, InetSocketAddress(address, port));
        stream.SetAttribute("SendSize", UintegerValue(1448));
        source = stream.Install(from);
    }
    else
    {
        // Half as much again as all stations together can send.
        uint32_t stations = 0;
        for (const Group& group : scenario.groups)
        {
            stations += group.stations;
        }
        OnOffHelper datagrams(protocol, InetSocketAddress(address, port));
        datagrams.SetConstantRate(DataRate(uint64_t(45e6 / stations)), 1472);
        source = datagrams.Install(from);
    }
    source.Start(Seconds(scenario.start));
    source.Stop(Seconds(stop));
    return sink.Install(to).Get(0)->GetObject<PacketSink>();
}

// In MiB, as the system tells it (proc_pid_status(5)).
double MostMemory()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    double kib = 0;
    while (status >> word && word != "VmHWM:")
    {
    }
    status >> kib;
    return kib / 1024;
}

void Run(const Scenario& scenario, const std::string& change, double duration)
{
    SetDefaults(scenario);
    const uint32_t networks = scenario.groups.back().network + 1;
    std::vector<NodeContainer> stations(networks);
    for (const Group& group : scenario.groups)
    {
        stations[group.network].Create(group.stations);
    }
    NodeContainer aps;
    aps.Create(networks);
    const Ptr<Node> server = CreateObject<Node>();
    const Ptr<YansWifiChannel> air = Air();
    std::vector<NetDeviceContainer> radios;
    for (uint32_t n = 0; n < networks; ++n)
    {
        radios.push_back(Radios(scenario, change, n, stations[n], aps.Get(n), air));
    }
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    wire.SetChannelAttribute("Delay", StringValue("1ms"));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000p"));
    InternetStackHelper internet;
    internet.Install(NodeContainer(aps, server));
    // Global routing takes all radios on one channel for one subnet.
    Ipv4AddressHelper onOneAir("10.0.0.0", "255.255.255.0");
    std::vector<Ipv4InterfaceContainer> onAir;
    std::vector<Ipv4InterfaceContainer> onWire;
    for (uint32_t n = 0; n < networks; ++n)
    {
        const NetDeviceContainer ends = wire.Install(aps.Get(n), server);
        internet.Install(stations[n]);
        const std::string subnet = "10.0." + std::to_string(n + 1) + ".0";
        onAir.push_back(onOneAir.Assign(radios[n]));
        onWire.push_back(Ipv4AddressHelper(subnet.c_str(), "255.255.255.0").Assign(ends));
        // FQ-CoDel, which ns-3 puts above every device that gets an address.
        TrafficControlHelper().Uninstall(radios[n]);
        TrafficControlHelper().Uninstall(ends);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    NeighborCacheHelper().PopulateNeighborCache();

    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t n = 0; n < networks; ++n)
    {
        for (uint32_t i = 0; change == "host" && i < radios[n].GetN(); ++i)
        {
            const Ptr<NetDevice> radio = radios[n].Get(i);
            radio->SetReceiveCallback(MakeBoundCallback(&ReceiveLater, radio->GetNode()));
        }
        for (uint32_t i = 0; i < stations[n].GetN(); ++i)
        {
            const Ptr<Node> station = stations[n].Get(i);
            const auto routes = Ipv4StaticRoutingHelper().GetStaticRouting(station->GetObject<Ipv4>());
            routes->AddHostRouteTo(onWire[n].GetAddress(1), onAir[n].GetAddress(stations[n].GetN()), 1);
            const uint32_t flow = sinks.size();
            sinks.push_back(scenario.upload
                                ? Flow(scenario, flow, station, server, onWire[n].GetAddress(1), duration)
                                : Flow(scenario, flow, server, station, onAir[n].GetAddress(i), duration));
        }
    }
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    uint32_t i = 0;
    for (const Group& group : scenario.groups)
    {
        for (uint32_t k = 0; k < group.stations; ++k, ++i)
        {
            const double bits = sinks[i]->GetTotalRx() * 8.0;
            std::printf("flow %s %.4f\n", group.name.c_str(), bits * 1e-6 / (duration - scenario.start));
        }
    }
    Simulator::Destroy();
}

} // namespace

int main(int argc, char* argv[])
{
    std::string name;
    std::string change;
    double duration = 10;
    CommandLine command(__FILE__);
    command.AddNonOption("scenario", "the name of a scenario", name);
    command.AddValue("duration", "seconds of simulated time", duration);
    command.AddValue("change", "what to do otherwise than ns-3: turns, host or preamble", change);
    command.Parse(argc, argv);
    const auto scenarios = Scenarios();
    const auto found = scenarios.find(name);
    if (found == scenarios.end())
    {
        std::fprintf(stderr, "cells: no scenario %s\n", name.c_str());
        return 2;
    }
    Run(found->second, change, duration);
    std::printf("at most %.1f MiB\n", MostMemory());
    return 0;
}
