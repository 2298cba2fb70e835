// A scenario on ns-3's 802.11b: reads it in TOML or JSON from the standard input, prints the tables of the run in JSON.
//
//     multihop-ns3 [--pcap=PREFIX] < chain.toml

#include <iostream>
#include <iterator>
#include <stdexcept>

#include "network.h"

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

namespace {

// What the scenario's input was wrong with, as in multihop's command line.
constexpr int WRONG_INPUT = 2;
// Longer than any frame.
constexpr uint32_t NO_RTS = 4692480;

std::string mode(uint64_t rate) {
    return rate == 5500000 ? "DsssRate5_5Mbps" : "DsssRate" + std::to_string(rate / 1000000) + "Mbps";
}

void place(const NodeContainer& nodes, const std::vector<std::vector<MultihopPlace>>& places) {
    for (uint32_t number = 0; number < nodes.GetN(); ++number) {
        const std::vector<MultihopPlace>& way = places[number];
        if (way.size() == 1) {
            Ptr<MobilityModel> still = CreateObject<ConstantPositionMobilityModel>();
            still->SetPosition({way.front().x, way.front().y, 0});
            nodes.Get(number)->AggregateObject(still);
            continue;
        }
        Ptr<WaypointMobilityModel> moving = CreateObject<WaypointMobilityModel>();
        Time last = Seconds(-1);
        for (const MultihopPlace& there : way) {
            const Time at = NanoSeconds(there.time);
            if (at > last) { // A leg may begin when the last one ends.
                moving->AddWaypoint({at, {there.x, there.y, 0}});
            }
            last = at;
        }
        nodes.Get(number)->AggregateObject(moving);
    }
}

NetDeviceContainer addRadios(const NodeContainer& nodes, const MultihopRadio& radio,
                             const std::string& pcap) {
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold",
                       UintegerValue(radio.rts ? 0 : NO_RTS));
    Config::SetDefault("ns3::WifiRemoteStationManager::MaxSsrc",
                       UintegerValue(radio.short_retry_limit));
    Config::SetDefault("ns3::WifiRemoteStationManager::MaxSlrc",
                       UintegerValue(radio.long_retry_limit));
    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    const DoubleValue frequency(radio.frequency);
    if (radio.two_ray_ground) {
        channel.AddPropagationLoss("ns3::TwoRayGroundPropagationLossModel", "Frequency", frequency,
                                   "HeightAboveZ", DoubleValue(radio.antenna_height));
    } else {
        channel.AddPropagationLoss("ns3::FriisPropagationLossModel", "Frequency", frequency);
    }
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    for (const std::string power : {"TxPowerStart", "TxPowerEnd"}) {
        phy.Set(power, DoubleValue(radio.transmit_power));
    }
    for (const std::string sensed : {"RxSensitivity", "CcaEdThreshold"}) {
        phy.Set(sensed, DoubleValue(radio.sense_threshold));
    }
    phy.SetPreambleDetectionModel("ns3::ThresholdPreambleDetectionModel", "MinimumRssi",
                                  DoubleValue(radio.receive_threshold));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211b);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode",
                                 StringValue(mode(radio.data_rate)), "ControlMode",
                                 StringValue(mode(radio.basic_rate)), "NonUnicastMode",
                                 StringValue(mode(radio.basic_rate)));
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    const NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    for (uint32_t number = 0; number < devices.GetN(); ++number) {
        Ptr<Txop> txop = DynamicCast<WifiNetDevice>(devices.Get(number))->GetMac()->GetTxop();
        txop->SetMinCw(radio.cw_min);
        txop->SetMaxCw(radio.cw_max);
    }
    if (!pcap.empty()) {
        phy.EnablePcap(pcap, devices, true);
    }
    return devices;
}

void run(const std::string& scenario, const std::string& pcap) {
    multihop::Network network(scenario);
    const MultihopRadio& radio = network.Radio();
    RngSeedManager::SetRun(network.Seed());
    const auto places = network.Places();
    NodeContainer nodes;
    nodes.Create(places.size());
    place(nodes, places);
    network.Install(addRadios(nodes, radio, pcap));
    Simulator::Stop(network.End());
    Simulator::Run();
    std::cout << network.Results() << std::endl;
    Simulator::Destroy();
}

} // namespace

int main(int argc, char** argv) {
    std::string pcap;
    CommandLine options("A multihop scenario, in TOML or JSON on the standard input, on ns-3's 802.11b.");
    options.AddValue("pcap", "prefix of a capture for every node", pcap);
    options.Parse(argc, argv);
    const std::string scenario{std::istreambuf_iterator<char>(std::cin), {}};
    try {
        run(scenario, pcap);
    } catch (const std::invalid_argument& error) {
        std::cerr << error.what() << std::endl;
        return WRONG_INPUT;
    }
}
