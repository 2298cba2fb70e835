#include "network.h"

#include <algorithm>
#include <stdexcept>

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/qos-blocked-destinations.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"
#include "ns3/txop.h"
#include "ns3/wifi-mac-queue.h"
#include "ns3/wifi-mpdu.h"
#include "ns3/wifi-phy-listener.h"

using namespace ns3;

namespace multihop {

namespace {

// IEEE 802, local experimental EtherType 1.
constexpr uint16_t PROTOCOL = 0x88b5;

// Devices without QoS have one.
constexpr uint8_t ONLY_LINK = 0;

uint64_t now() { return static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()); }

// The name of a frame. It travels beside the packet, and is not on the air: what a MAC header says of the receiver
// of a frame that nobody acknowledges, and how the books know a packet.
class FrameTag : public Tag {
public:
    FrameTag() = default;
    explicit FrameTag(MultihopName name) : m_name(name) {}

    static TypeId GetTypeId() {
        static TypeId id =
            TypeId("multihop::FrameTag").SetParent<Tag>().AddConstructor<FrameTag>();
        return id;
    }

    TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    uint32_t GetSerializedSize() const override { return 2 * sizeof(uint32_t); }
    void Serialize(TagBuffer buffer) const override {
        buffer.WriteU32(m_name.from);
        buffer.WriteU32(m_name.number);
    }
    void Deserialize(TagBuffer buffer) override {
        m_name.from = buffer.ReadU32();
        m_name.number = buffer.ReadU32();
    }
    void Print(std::ostream& out) const override { out << m_name.from << "/" << m_name.number; }

    MultihopName Name() const { return m_name; }

private:
    MultihopName m_name{MULTIHOP_EVERYONE, MULTIHOP_EVERYONE};
};

NS_OBJECT_ENSURE_REGISTERED(FrameTag);

// The name of one of our frames, if the packet is that.
bool nameOf(Ptr<const Packet> packet, MultihopName& name) {
    FrameTag tag;
    if (!packet || !packet->PeekPacketTag(tag)) {
        return false;
    }
    name = tag.Name();
    return true;
}

MultihopKind kindOf(const WifiMacHeader& header) {
    if (header.IsRts()) {
        return MULTIHOP_RTS;
    }
    if (header.IsCts()) {
        return MULTIHOP_CTS;
    }
    if (header.IsAck()) {
        return MULTIHOP_ACK;
    }
    return header.GetAddr1().IsGroup() ? MULTIHOP_UNACKNOWLEDGED_DATA : MULTIHOP_DATA;
}

} // namespace

// What a radio senses.
class Network::Ear : public WifiPhyListener {
public:
    Ear(Network& network, uint32_t node) : m_network(network), m_node(node) {}

    void NotifyRxStart(Time span) override { m_network.Sense(m_node, MULTIHOP_FRAME, span); }
    void NotifyRxEndOk() override { m_network.Sense(m_node, MULTIHOP_SILENCE, Time(0)); }
    void NotifyRxEndError() override {
        m_network.Sense(m_node, MULTIHOP_SILENCE, Time(0));
        // EIFS lasts so much longer than DIFS.
        Ptr<WifiPhy> phy = m_network.m_stations[m_node].device->GetPhy();
        m_network.Sense(m_node, MULTIHOP_RESERVATION, phy->GetSifs() + phy->GetAckTxTime());
    }
    void NotifyCcaBusyStart(Time span, WifiChannelListType, const std::vector<Time>&) override {
        m_network.Sense(m_node, MULTIHOP_NOISE, span);
    }
    void NotifyTxStart(Time, double) override {}
    void NotifySwitchingStart(Time) override {}
    void NotifySleep() override {}
    void NotifyOff() override {}
    void NotifyWakeup() override {}
    void NotifyOn() override {}

private:
    Network& m_network;
    uint32_t m_node;
};

Network::Network(const std::string& scenario) : m_run(multihop_open(scenario.c_str())) {
    if (const std::string error = multihop_error(m_run.get()); !error.empty()) {
        throw std::invalid_argument(error);
    }
}

Network::~Network() = default;

const MultihopRadio& Network::Radio() const {
    const MultihopRadio* radio = multihop_radio(m_run.get());
    if (radio == nullptr) {
        throw std::invalid_argument(multihop_radio_error(m_run.get()));
    }
    return *radio;
}

std::vector<std::vector<MultihopPlace>> Network::Places() const {
    std::size_t count = 0;
    const MultihopPlace* places = multihop_places(m_run.get(), &count);
    std::vector<std::vector<MultihopPlace>> ofNodes;
    for (std::size_t at = 0; at < count; ++at) {
        ofNodes.resize(std::max<std::size_t>(ofNodes.size(), places[at].node + 1));
        ofNodes[places[at].node].push_back(places[at]);
    }
    return ofNodes;
}

void Network::Install(const NetDeviceContainer& devices) {
    if (!m_stations.empty() || devices.GetN() != Places().size()) {
        throw std::invalid_argument("the scenario has " + std::to_string(Places().size()) +
                                    " nodes: install it once, on as many devices (got " +
                                    std::to_string(devices.GetN()) + ")");
    }
    for (uint32_t number = 0; number < devices.GetN(); ++number) {
        Ptr<WifiNetDevice> device = DynamicCast<WifiNetDevice>(devices.Get(number));
        if (!device || !device->GetMac()->GetTxop()) {
            throw std::invalid_argument("device " + std::to_string(number) +
                                        " is no Wi-Fi device without QoS: use ns3::AdhocWifiMac");
        }
        Ptr<WifiMac> mac = device->GetMac();
        m_numbers[mac->GetAddress()] = number;
        m_stations.push_back({device, std::make_unique<Ear>(*this, number), mac->GetTxop()->GetMinCw()});
        Ptr<WifiPhy> phy = device->GetPhy();
        phy->RegisterListener(m_stations.back().ear.get());
        const auto follow = [](Ptr<Object> of, const char* source, const CallbackBase& callback) {
            if (!of->TraceConnectWithoutContext(source, callback)) {
                throw std::invalid_argument(std::string("this ns-3 has no trace source ") + source);
            }
        };
        follow(phy, "PhyTxPsduBegin", MakeCallback(&Network::OnTransmission, this, number));
        follow(phy, "PhyTxEnd", MakeCallback(&Network::OnTransmitted, this, number));
        follow(phy, "MonitorSnifferRx", MakeCallback(&Network::OnDecoded, this, number));
        follow(mac, "MpduResponseTimeout", MakeCallback(&Network::OnNoAnswer, this, number));
        follow(mac, "AckedMpdu", MakeCallback(&Network::OnAcknowledged, this));
        follow(mac, "DroppedMpdu", MakeCallback(&Network::OnDropped, this));
        device->GetNode()->RegisterProtocolHandler(MakeCallback(&Network::OnReceived, this),
                                                   PROTOCOL, device, true);
    }
    Serve();
}

uint64_t Network::Seed() const { return multihop_seed(m_run.get()); }

Time Network::End() const { return NanoSeconds(multihop_end(m_run.get())); }

std::string Network::Results() {
    m_wake.Cancel();
    return multihop_results(m_run.get());
}

// After every call: what is to be done now, and when to go on.
void Network::Serve() {
    MultihopOrder order;
    while (multihop_order(m_run.get(), &order)) {
        order.task == MULTIHOP_TRANSMIT ? Transmit(order) : Withdraw(order);
    }
    const uint64_t due = multihop_due(m_run.get());
    if (due == m_due && m_wake.IsRunning()) {
        return;
    }
    m_wake.Cancel();
    m_due = due;
    if (due < multihop_end(m_run.get())) {
        m_wake = Simulator::Schedule(NanoSeconds(due > now() ? due - now() : 0), &Network::Wake, this);
    }
}

void Network::Wake() {
    multihop_wake(m_run.get(), now());
    Serve();
}

void Network::Transmit(const MultihopOrder& order) {
    Station& station = m_stations[order.node];
    station.number = order.number;
    station.acknowledged = order.acknowledged;
    Ptr<Packet> packet = Create<Packet>(order.bytes, order.length);
    packet->AddPacketTag(FrameTag({order.node, order.number}));
    station.device->GetMac()->GetTxop()->SetMinCw(order.cw_min == 0 ? station.ownCwMin : order.cw_min);
    const Mac48Address to = order.acknowledged
                                ? m_stations[order.to].device->GetMac()->GetAddress()
                                : Mac48Address::GetBroadcast();
    station.device->Send(packet, to, PROTOCOL);
}

void Network::Withdraw(const MultihopOrder& order) {
    Station& station = m_stations[order.node];
    station.number = MULTIHOP_EVERYONE;
    Ptr<WifiMacQueue> queue = station.device->GetMac()->GetTxopQueue(AC_BE_NQOS);
    Ptr<WifiMpdu> frame = queue->PeekFirstAvailable(ONLY_LINK);
    MultihopName name;
    while (frame && !(nameOf(frame->GetPacket(), name) && name.number == order.number)) {
        frame = queue->PeekFirstAvailable(ONLY_LINK, nullptr, frame);
    }
    if (frame) {
        queue->Remove(frame);
    }
}

// From within the MAC: once it is done with what it does, so that it can be given the next frame.
void Network::Finish(MultihopName frame, MultihopOutcome outcome) {
    Station& station = m_stations[frame.from];
    if (station.number != frame.number) {
        return;
    }
    station.number = MULTIHOP_EVERYONE;
    Simulator::ScheduleNow([this, frame, outcome] {
        multihop_ended(m_run.get(), now(), frame, outcome);
        Serve();
    });
}

void Network::OnTransmission(uint32_t node, WifiConstPsduMap psdus, WifiTxVector vector, double) {
    const Ptr<const WifiPsdu> psdu = psdus.begin()->second;
    const WifiMacHeader& header = psdu->GetHeader(0);
    Station& station = m_stations[node];
    MultihopName name{node, MULTIHOP_EVERYONE};
    const bool isData = header.IsData() && nameOf(psdu->GetPayload(0), name);
    if (header.IsRts()) {
        name.number = station.number;
    } else if (!isData && !header.IsCts() && !header.IsAck()) {
        return; // Somebody else's.
    }
    Ptr<WifiPhy> phy = station.device->GetPhy();
    const MultihopFrame frame{
        kindOf(header),
        node,
        header.GetAddr1().IsGroup() ? MULTIHOP_EVERYONE : NodeOf(header.GetAddr1()),
        name.number,
        psdu->GetSize(),
        isData ? header.GetSequenceNumber() : 0U,
        static_cast<uint64_t>(
            WifiPhy::CalculateTxDuration(psdus, vector, phy->GetPhyBand()).GetNanoSeconds()),
        static_cast<uint64_t>(header.GetDuration().GetNanoSeconds()),
    };
    station.unacknowledgedOnAir =
        isData && !station.acknowledged && name.number == station.number;
    multihop_began(m_run.get(), now(), &frame);
    Serve();
}

void Network::OnTransmitted(uint32_t node, Ptr<const Packet>) {
    Station& station = m_stations[node];
    if (station.unacknowledgedOnAir) {
        station.unacknowledgedOnAir = false;
        Finish({node, station.number}, MULTIHOP_SENT);
    }
}

void Network::Sense(uint32_t node, MultihopSensed sensed, Time span) {
    const auto until = now() + static_cast<uint64_t>(span.GetNanoSeconds());
    multihop_senses(m_run.get(), now(), node, sensed, until);
}

void Network::OnDecoded(uint32_t node, Ptr<const Packet> frame, uint16_t, WifiTxVector, MpduInfo,
                        SignalNoiseDbm strength, uint16_t) {
    m_stations[node].signal = strength.signal;
    WifiMacHeader header;
    frame->PeekHeader(header);
    if (NodeOf(header.GetAddr1()) != node) {
        Sense(node, MULTIHOP_RESERVATION, header.GetDuration());
    }
}

void Network::OnNoAnswer(uint32_t node, uint8_t, Ptr<const WifiMpdu>, const WifiTxVector&) {
    Sense(node, MULTIHOP_NO_ANSWER, Time(0));
}

void Network::OnAcknowledged(Ptr<const WifiMpdu> frame) {
    MultihopName name;
    if (nameOf(frame->GetPacket(), name)) {
        Finish(name, MULTIHOP_ACKNOWLEDGED);
    }
}

void Network::OnDropped(WifiMacDropReason, Ptr<const WifiMpdu> frame) {
    MultihopName name;
    if (nameOf(frame->GetPacket(), name)) {
        Finish(name, MULTIHOP_FAILED);
    }
}

void Network::OnReceived(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&,
                         const Address&, NetDevice::PacketType) {
    MultihopName name;
    if (!nameOf(packet, name)) {
        return;
    }
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    const uint32_t node = NodeOf(Mac48Address::ConvertFrom(device->GetAddress()));
    const MultihopReception reception{name, m_stations[node].signal, bytes.data(), bytes.size()};
    multihop_heard(m_run.get(), now(), node, &reception);
    Serve();
}

uint32_t Network::NodeOf(const Mac48Address& address) const {
    const auto found = m_numbers.find(address);
    return found == m_numbers.end() ? MULTIHOP_EVERYONE : found->second;
}

} // namespace multihop
