// The nodes of a scenario on the Wi-Fi devices of an ns-3 simulation.
//
//     multihop::Network network(scenario);   // TOML or JSON; throws std::invalid_argument
//     network.Install(devices);              // WifiNetDevices, one for each node, of any standard and on any channel
//     ns3::Simulator::Stop(network.End());
//     ns3::Simulator::Run();
//     std::cout << network.Results();        // the tables, as JSON
//
// It has to live until Simulator::Destroy. The devices' MACs are AdhocWifiMac without QoS. Whatever else their nodes have may send beside.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "multihop.h"

#include "ns3/event-id.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"
#include "ns3/wifi-mac.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"
#include "ns3/wifi-psdu.h"

namespace multihop {

class Network {
public:
    // Throws std::invalid_argument with the line, the key and a remedy if the scenario cannot be run.
    explicit Network(const std::string& scenario);
    ~Network();
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    // What 802.11b has to be like. Throws std::invalid_argument if it cannot be as the scenario asks.
    const MultihopRadio& Radio() const;

    // What fixes the random numbers of the nodes; for ns-3's own, see RngSeedManager::SetRun.
    uint64_t Seed() const;

    // The places of every node, in the order of time.
    std::vector<std::vector<MultihopPlace>> Places() const;

    // The nodes use these devices, in the order of the scenario. To be called once.
    void Install(const ns3::NetDeviceContainer& devices);

    // When the scenario ends.
    ns3::Time End() const;

    // The tables of the run, which is over, as JSON.
    std::string Results();

private:
    class Ear;

    // A node's way to the air.
    struct Station {
        ns3::Ptr<ns3::WifiNetDevice> device;
        std::unique_ptr<Ear> ear;
        uint32_t ownCwMin = 0;
        // The frame below the node, and whether the MAC waits for its acknowledgment.
        uint32_t number = MULTIHOP_EVERYONE;
        bool acknowledged = false;
        // Whether the frame that is on the air is that one, as data that nobody acknowledges.
        bool unacknowledgedOnAir = false;
        // How strong the last frame was that it has decoded, in dBm.
        double signal = 0;
    };

    void Serve();
    void Wake();
    void Transmit(const MultihopOrder& order);
    void Withdraw(const MultihopOrder& order);
    void Finish(MultihopName frame, MultihopOutcome outcome);

    void OnTransmission(uint32_t node, ns3::WifiConstPsduMap psdus, ns3::WifiTxVector vector, double power);
    void OnTransmitted(uint32_t node, ns3::Ptr<const ns3::Packet> packet);
    void OnDecoded(uint32_t node, ns3::Ptr<const ns3::Packet> frame, uint16_t frequency, ns3::WifiTxVector vector,
                   ns3::MpduInfo place, ns3::SignalNoiseDbm strength, uint16_t station);
    void OnNoAnswer(uint32_t node, uint8_t reason, ns3::Ptr<const ns3::WifiMpdu> frame, const ns3::WifiTxVector& vector);
    void OnAcknowledged(ns3::Ptr<const ns3::WifiMpdu> frame);
    void OnDropped(ns3::WifiMacDropReason reason, ns3::Ptr<const ns3::WifiMpdu> frame);
    void OnReceived(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet, uint16_t protocol,
                    const ns3::Address& from, const ns3::Address& to, ns3::NetDevice::PacketType type);

    void Sense(uint32_t node, MultihopSensed sensed, ns3::Time span);

    uint32_t NodeOf(const ns3::Mac48Address& address) const;

    struct Close {
        void operator()(Multihop* run) const { multihop_close(run); }
    };

    std::unique_ptr<Multihop, Close> m_run;
    std::vector<Station> m_stations;
    std::map<ns3::Mac48Address, uint32_t> m_numbers;
    ns3::EventId m_wake;
    uint64_t m_due = UINT64_MAX;
};

} // namespace multihop
