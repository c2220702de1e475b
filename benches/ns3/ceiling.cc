// What one saturated station has in ns-3 3.37: `ceiling --standard=ac|ax --width=80 --count=64 [--duration=2] [--RngRun=1]`.
//
// A station with two streams sends datagrams of 1,472 bytes to its access point at the highest scheme, with COUNT MPDUs at most under
// a BlockAck; nothing is lost. Prints the Mbit/s of payload that arrive from the first second on.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

#include <cstdio>
#include <string>

using namespace ns3;

int main(int argc, char* argv[])
{
    std::string standard;
    uint32_t width = 80;
    uint32_t count = 64;
    double duration = 2;
    CommandLine command(__FILE__);
    command.AddValue("standard", "ac or ax", standard);
    command.AddValue("width", "of the channel, in MHz: 80 or 160", width);
    command.AddValue("count", "MPDUs under a BlockAck", count);
    command.AddValue("duration", "seconds of simulated time, of which the first is left out", duration);
    command.Parse(argc, argv);
    const bool ax = standard == "ax";

    Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize("4096p")));
    // No RTS, which ns-3 sends before more than 65,535 bytes.
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(4692480));
    // Subframes of 1,544 bytes; the longest of VHT and HE.
    const uint32_t longest = ax ? 6500631 : 1048575;
    Config::SetDefault("ns3::WifiMac::BE_MaxAmpduSize", UintegerValue(std::min(longest, count * 1544)));

    NodeContainer nodes;
    nodes.Create(2);
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);

    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    channel.AddPropagationLoss("ns3::FixedRssLossModel", "Rss", DoubleValue(-20));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    phy.Set("ChannelSettings", StringValue(width == 160 ? "{50, 160, BAND_5GHZ, 0}" : "{42, 80, BAND_5GHZ, 0}"));
    phy.Set("Antennas", UintegerValue(2));
    phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(2));
    phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(2));

    WifiHelper wifi;
    wifi.SetStandard(ax ? WIFI_STANDARD_80211ax : WIFI_STANDARD_80211ac);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(ax ? "HeMcs11" : "VhtMcs9"),
                                 "ControlMode",
                                 StringValue("OfdmRate24Mbps"));
    if (ax)
    {
        wifi.ConfigHeOptions("GuardInterval", TimeValue(NanoSeconds(800)), "MpduBufferSize", UintegerValue(count));
    }
    else
    {
        wifi.ConfigHtOptions("ShortGuardIntervalSupported", BooleanValue(true));
    }
    WifiMacHelper mac;
    mac.SetType("ns3::StaWifiMac");
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes.Get(0));
    mac.SetType("ns3::ApWifiMac");
    devices.Add(wifi.Install(phy, mac, nodes.Get(1)));

    InternetStackHelper internet;
    internet.Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    TrafficControlHelper().Uninstall(devices);
    NeighborCacheHelper().PopulateNeighborCache();

    const uint16_t port = 5000;
    PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    const auto received = sink.Install(nodes.Get(1)).Get(0)->GetObject<PacketSink>();
    OnOffHelper source("ns3::UdpSocketFactory", InetSocketAddress(addresses.GetAddress(1), port));
    source.SetConstantRate(DataRate(2500000000), 1472);
    auto datagrams = source.Install(nodes.Get(0));
    datagrams.Start(Seconds(0.5));

    uint64_t before = 0;
    Simulator::Schedule(Seconds(1), [&before, received] { before = received->GetTotalRx(); });
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    std::printf("%.1f\n", (received->GetTotalRx() - before) * 8e-6 / (duration - 1));
    Simulator::Destroy();
    return 0;
}
