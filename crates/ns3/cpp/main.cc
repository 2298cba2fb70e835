// A scenario on ns-3's 802.11b: reads it in TOML or JSON from the standard input, prints the tables of the run in JSON.
//
//     multihop-ns3 [--pcap=PREFIX] < chain.toml

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "network.h"

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/propagation-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

namespace {

// What the scenario's input was wrong with, as in multihop's command line.
constexpr int WRONG_INPUT = 2;
// Longer than any frame.
constexpr uint32_t NO_RTS = 4692480;
// In m/s, as the scenario's ranges are computed with.
constexpr double SPEED_OF_LIGHT = 3e8;
// A frame that is stronger than the mean by so many standard deviations is one in millions.
constexpr double RARELY = 5;
// The thermal noise of 802.11b's 22 MHz, in dBm, and ns-3's usual noise figure, in dB.
constexpr double THERMAL_NOISE = -100.5;
constexpr double NOISE_FIGURE = 7;
// Noise is weaker than whatever is to be decoded by so many dB: what decides is the scenario's threshold.
constexpr double ABOVE_NOISE = 20;

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

Ptr<PropagationLossModel> lossOf(const MultihopRadio& radio) {
    const DoubleValue frequency(radio.frequency);
    switch (radio.propagation) {
    case MULTIHOP_TWO_RAY_GROUND:
        return CreateObjectWithAttributes<TwoRayGroundPropagationLossModel>(
            "Frequency", frequency, "HeightAboveZ", DoubleValue(radio.antenna_height));
    case MULTIHOP_LOG_NORMAL_SHADOWING: {
        const double atOneMetre = 20 * std::log10(4 * M_PI * radio.frequency / SPEED_OF_LIGHT);
        return CreateObjectWithAttributes<LogDistancePropagationLossModel>(
            "Exponent", DoubleValue(radio.path_loss_exponent), "ReferenceLoss", DoubleValue(atOneMetre));
    }
    case MULTIHOP_FREE_SPACE:
        break;
    }
    return CreateObjectWithAttributes<FriisPropagationLossModel>("Frequency", frequency);
}

// A draw for every frame at every radio.
Ptr<PropagationLossModel> shadowingOf(const MultihopRadio& radio) {
    Ptr<NormalRandomVariable> deviation = CreateObjectWithAttributes<NormalRandomVariable>(
        "Variance", DoubleValue(radio.shadowing_deviation * radio.shadowing_deviation));
    return CreateObjectWithAttributes<RandomPropagationLossModel>("Variable", PointerValue(deviation));
}

// CTS and link acknowledgments have the basic rate. ns-3's ad hoc MAC would take all mandatory rates for basic ones when
// it first meets a neighbour, and answer at the rate of the frame: so it knows its neighbours from the start.
void answerAtBasicRate(const NetDeviceContainer& devices, const MultihopRadio& radio,
                       Ptr<PropagationLossModel> loss) {
    std::vector<Ptr<MobilityModel>> places;
    for (uint32_t number = 0; number < devices.GetN(); ++number) {
        places.push_back(devices.Get(number)->GetNode()->GetObject<MobilityModel>());
    }
    const auto moves = [](Ptr<MobilityModel> place) {
        return !DynamicCast<ConstantPositionMobilityModel>(place);
    };
    for (uint32_t one = 0; one < devices.GetN(); ++one) {
        Ptr<WifiRemoteStationManager> stations =
            DynamicCast<WifiNetDevice>(devices.Get(one))->GetRemoteStationManager();
        stations->AddBasicMode(WifiMode(mode(radio.basic_rate)));
        for (uint32_t other = 0; other < devices.GetN(); ++other) {
            Ptr<MobilityModel> here = places[one];
            Ptr<MobilityModel> there = places[other];
            if (one == other ||
                (!moves(here) && !moves(there) &&
                 loss->CalcRxPower(radio.transmit_power, here, there) + RARELY * radio.shadowing_deviation <
                     radio.receive_threshold)) {
                continue;
            }
            const Mac48Address address = Mac48Address::ConvertFrom(devices.Get(other)->GetAddress());
            stations->AddSupportedMode(address, WifiMode(mode(radio.data_rate)));
            stations->RecordDisassociated(address);
        }
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
    const Ptr<PropagationLossModel> loss = lossOf(radio);
    Ptr<YansWifiChannel> channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    channel->SetPropagationLossModel(loss);
    YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    for (const std::string power : {"TxPowerStart", "TxPowerEnd"}) {
        phy.Set(power, DoubleValue(radio.transmit_power));
    }
    for (const std::string sensed : {"RxSensitivity", "CcaEdThreshold"}) {
        phy.Set(sensed, DoubleValue(radio.sense_threshold));
    }
    phy.Set("RxNoiseFigure", DoubleValue(std::min(NOISE_FIGURE, radio.receive_threshold - ABOVE_NOISE -
                                                                    THERMAL_NOISE)));
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
    answerAtBasicRate(devices, radio, loss);
    if (radio.propagation == MULTIHOP_LOG_NORMAL_SHADOWING) {
        loss->SetNext(shadowingOf(radio));
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
