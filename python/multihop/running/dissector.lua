-- A dissector for the headers of multihop, behind IPv4. `multihop pcap --dissector FILE` writes it, with
-- the layouts of all headers above. Wireshark: Help > About > Folders > Personal Lua Plugins.

local multihop = Proto("multihop", "multihop")
local EMPTY = ""

-- Headers stand in a chain: next, length, fields. 138, 253 and 254 end it, as a payload or a message.
local DATA = 253
local FIRST, LAST = 152, 247

local fields, by_number = {}, {}
local fault = ProtoExpert.new(
  "multihop.malformed", "The header is cut off or unknown", expert.group.MALFORMED, expert.severity.ERROR)
multihop.experts = { fault }

local MAKE = {
  number = ProtoField.uint32, word = ProtoField.uint32, signed = ProtoField.int32,
}

-- Make the fields of one layout.
local function register(layout)
  local stem = "multihop." .. layout.name
  layout.made = {}
  layout.whole = ProtoField.none(stem, layout.title)
  table.insert(fields, layout.whole)
  for at, field in ipairs(layout.fields) do
    if field.name ~= EMPTY then
      local name = stem .. "." .. field.name
      local made
      if field.holds == "address" then
        made = ProtoField.ipv4(name, field.name, field.about)
      elseif field.holds == "word" then
        made = ProtoField.uint32(name, field.name, base.DEC, field.words, nil, field.about)
      else
        made = MAKE[field.holds](name, field.name, base.DEC, nil, nil, field.about)
      end
      layout.made[at] = made
      table.insert(fields, made)
    end
  end
  if layout.rest ~= EMPTY then
    layout.behind = ProtoField.bytes(stem .. "." .. layout.rest, layout.rest)
    table.insert(fields, layout.behind)
  end
  by_number[layout.number] = by_number[layout.number] or {}
  by_number[layout.number][layout.message or EMPTY] = layout
end

for _, layout in ipairs(LAYOUTS) do register(layout) end
multihop.fields = fields

-- The layout of what begins at `body`, which has this number.
local function find(number, body)
  local same = by_number[number]
  if not same then return nil end
  return same[EMPTY] or (body:len() > 0 and same[body(0, 1):uint()])
end

-- Show the fields of one layout; return what they say in short.
local function show(layout, body, whole, tree)
  local branch = tree:add(layout.whole, whole)
  local said, bit = {}, 0
  for at, field in ipairs(layout.fields) do
    local first, last = math.floor(bit / 8), math.floor((bit + field.bits - 1) / 8)
    if last >= body:len() then break end
    local made = layout.made[at]
    if made then
      local bytes = body(first, last - first + 1)
      if field.holds == "address" then
        branch:add(made, bytes)
      elseif field.holds == "signed" then
        branch:add(made, bytes, bytes:int())
      else
        local value = bytes:bitfield(bit % 8, field.bits)
        branch:add(made, bytes, value)
        if field.holds == "word" then
          table.insert(said, field.words[value] or tostring(value))
        elseif field.name == "sequence" or field.name == "number" then
          table.insert(said, tostring(value))
        end
      end
    end
    bit = bit + field.bits
  end
  local behind = math.floor(bit / 8)
  if layout.behind and behind < body:len() then branch:add(layout.behind, body(behind)) end
  return layout.title .. (#said > 0 and " " .. table.concat(said, " ") or EMPTY)
end

-- Show what an application has sent, if its bytes are there: an IP packet (labs), not in simulations.
local function show_application(body, pinfo, root)
  if body:len() > 0 and body(0, 1):bitfield(0, 4) == 4 then
    Dissector.get("ip"):call(body:tvb(), pinfo, root)
  end
end

-- Walk along the chain from `number` on.
local function walk(number, tvb, pinfo, tree, root)
  local at, said = 0, {}
  while number >= FIRST and number <= LAST do
    if at + 2 > tvb:len() then return tree:add_proto_expert_info(fault) end
    local length = tvb(at + 1, 1):uint()
    local layout = find(number, tvb(at))
    if length < 2 or at + length > tvb:len() or not layout then
      return tree:add_proto_expert_info(fault)
    end
    local body = length > 2 and tvb(at + 2, length - 2) or tvb(at, 0)
    table.insert(said, show(layout, body, tvb(at, length), tree))
    number, at = tvb(at, 1):uint(), at + length
  end
  local layout = number ~= DATA and at < tvb:len() and find(number, tvb(at))
  if layout then table.insert(said, show(layout, tvb(at), tvb(at), tree)) end
  pinfo.cols.info = table.concat(said, " | ")
  if number == DATA and at < tvb:len() then
    pinfo.cols.info:append(" | ")
    pinfo.cols.info:fence()
    show_application(tvb(at), pinfo, root)
  end
end

local protocol = Field.new("ip.proto")

function multihop.dissector(tvb, pinfo, tree)
  pinfo.cols.protocol = "multihop"
  walk(protocol().value, tvb, pinfo, tree:add(multihop, tvb()), tree)
end

local table_of_ip = DissectorTable.get("ip.proto")
for number, _ in pairs(by_number) do table_of_ip:add(number, multihop) end
