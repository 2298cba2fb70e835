// A static 802.11b network of UDP flows over given routes, with ns-2's radio: what ns-3 needs for
// the networks of bench.py.
//
//     network --file=NETWORK --duration=SECONDS --rts=1
//
// NETWORK has the number of nodes and, for each, its x and y in m; then the number of flows and,
// for each, the number of nodes on its route and these nodes. Every source offers 400 kbit/s in
// packets of 512 B.

#include <fstream>
#include <iostream>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

namespace {

constexpr uint16_t PORT = 9;
constexpr uint32_t PAYLOAD = 512;
// No frame is so long: never an RTS.
constexpr uint32_t NEVER = 3000;
const Time FIRST = MilliSeconds(1);

struct Network {
    std::vector<Vector> places;
    std::vector<std::vector<uint32_t>> routes;
};

uint64_t received = 0;

void onReceive(Ptr<const Packet> packet, const Address&) { received += packet->GetSize(); }

Network readNetwork(const std::string& path) {
    std::ifstream file(path);
    Network network;
    std::size_t count = 0;
    file >> count;
    network.places.resize(count);
    for (Vector& place : network.places) {
        file >> place.x >> place.y;
    }
    file >> count;
    network.routes.resize(count);
    for (std::vector<uint32_t>& route : network.routes) {
        file >> count;
        route.resize(count);
        for (uint32_t& node : route) {
            file >> node;
        }
    }
    NS_ABORT_MSG_UNLESS(file, "cannot read " << path);
    return network;
}

void place(const NodeContainer& nodes, const std::vector<Vector>& places) {
    Ptr<ListPositionAllocator> positions = CreateObject<ListPositionAllocator>();
    for (const Vector& place : places) {
        positions->Add(place);
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(positions);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);
}

// ns-2's radio: 24.5 dBm at 914 MHz, two-ray ground, antennas at 1.5 m; -78 dBm are sensed, -64.5
// dBm received: 550 m and 250 m.
NetDeviceContainer addRadios(const NodeContainer& nodes) {
    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    channel.AddPropagationLoss("ns3::TwoRayGroundPropagationLossModel", "Frequency",
                               DoubleValue(914e6), "HeightAboveZ", DoubleValue(1.5));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    phy.Set("TxPowerStart", DoubleValue(24.5));
    phy.Set("TxPowerEnd", DoubleValue(24.5));
    phy.Set("RxSensitivity", DoubleValue(-78));
    phy.Set("CcaEdThreshold", DoubleValue(-78));
    phy.SetPreambleDetectionModel("ns3::ThresholdPreambleDetectionModel", "MinimumRssi",
                                  DoubleValue(-64.5));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211b);
    const StringValue rate("DsssRate1Mbps");
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", rate, "ControlMode",
                                 rate);
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    return wifi.Install(phy, mac, nodes);
}

void addFlow(const NodeContainer& nodes, const Ipv4InterfaceContainer& addresses,
             const std::vector<uint32_t>& route, uint16_t number) {
    const Ipv4Address end = addresses.GetAddress(route.back());
    for (std::size_t hop = 0; hop + 1 < route.size(); ++hop) {
        Ipv4StaticRoutingHelper helper;
        helper.GetStaticRouting(nodes.Get(route[hop])->GetObject<Ipv4>())
            ->AddHostRouteTo(end, addresses.GetAddress(route[hop + 1]), 1);
    }
    const uint16_t port = PORT + number;
    OnOffHelper source("ns3::UdpSocketFactory", InetSocketAddress(end, port));
    source.SetConstantRate(DataRate("400kb/s"), PAYLOAD);
    source.Install(nodes.Get(route.front())).Start(FIRST * (number + 1));
    PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(route.back()))
        .Get(0)
        ->TraceConnectWithoutContext("Rx", MakeCallback(&onReceive));
}

} // namespace

int main(int argc, char** argv) {
    std::string file;
    double duration = 1;
    bool rts = true;
    CommandLine options;
    options.AddValue("file", "the network", file);
    options.AddValue("duration", "simulated seconds", duration);
    options.AddValue("rts", "with RTS/CTS", rts);
    options.Parse(argc, argv);
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold",
                       UintegerValue(rts ? 0 : NEVER));
    Config::SetDefault("ns3::WifiRemoteStationManager::NonUnicastMode",
                       StringValue("DsssRate1Mbps"));

    const Network network = readNetwork(file);
    NodeContainer nodes;
    nodes.Create(network.places.size());
    place(nodes, network.places);
    const NetDeviceContainer radios = addRadios(nodes);
    InternetStackHelper stack;
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    stack.Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.0.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(radios);
    for (std::size_t flow = 0; flow < network.routes.size(); ++flow) {
        addFlow(nodes, interfaces, network.routes[flow], flow);
    }
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    std::cout << "RESULT goodput_kbps=" << received * 8 / duration / 1000 << std::endl;
    Simulator::Destroy();
}
