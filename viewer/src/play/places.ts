/** Nodes with places, as tables and maps have them, made a scenario: CSV, a list in JSON, or points of GeoJSON. */

export interface Placed {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

type Row = Readonly<Record<string, unknown>>;

const NAMES = ["name", "hostname", "label", "title", "node", "node_id", "id"];
const LATITUDE = ["lat", "latitude"];
const LONGITUDE = ["lon", "lng", "long", "longitude"];
/** More cannot be seen, nor run in a page. */
const MOST_NODES = 2000;

/** WGS 84: the radius of the equator in m, and the square of the eccentricity. */
const RADIUS_M = 6_378_137;
const ECCENTRICITY_2 = 6.69437999014e-3;

/** Read the nodes of a file; an error says what it lacks. */
export function readPlaces(text: string, fileName: string): Placed[] {
  const rows = /\.csv$/i.test(fileName) ? csvRows(text) : jsonRows(text);
  const some = rows.slice(0, MOST_NODES + 1).map(placeOf);
  const placed = some.filter((one) => one !== null);
  if (placed.length > MOST_NODES) throw new Error(`The file has more than ${MOST_NODES} nodes. Use 'multihop import', which can leave nodes out.`);
  if (placed.length < 2) {
    throw new Error("The file has fewer than two nodes with places. A node needs lat and lon in degrees, or x and y in metres. "
      + "'multihop import' reads more kinds of maps.");
  }
  const names = new Set<string>();
  const inMetres = placed.some(({ degrees }) => degrees) ? plane(placed) : placed;
  return inMetres.map(({ name, x, y }, at) => {
    // Names of hosts, each of its own.
    const plain = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "") || `n${at}`;
    let own = plain;
    for (let next = 2; names.has(own); next++) own = `${plain}-${next}`;
    names.add(own);
    return { name: own, x, y };
  });
}

interface Given extends Placed {
  readonly degrees: boolean;
}

function first(row: Row, names: readonly string[]): unknown {
  const found = Object.entries(row).find(([key, value]) => names.includes(key.toLowerCase()) && value !== null && value !== "");
  return found?.[1];
}

/** A place in degrees has the longitude as x. Latitude 0, longitude 0 is what devices without a place send. */
function placeOf(row: Row, at: number): Given | null {
  const number = (names: readonly string[]): number => Number(first(row, names) ?? Number.NaN);
  const name = String(first(row, NAMES) ?? `n${at}`);
  const [lat, lon] = [number(LATITUDE), number(LONGITUDE)];
  if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return lat === 0 && lon === 0 ? null : { name, x: lon, y: lat, degrees: true };
  const [x, y] = [number(["x", "x_m"]), number(["y", "y_m"])];
  return Number.isFinite(x) && Number.isFinite(y) ? { name, x, y, degrees: false } : null;
}

/** A plane that touches the ellipsoid at the median latitude, from the lowest and leftmost node on. */
function plane(placed: readonly Given[]): Given[] {
  const all = placed.filter(({ degrees }) => degrees).map((one) => (
    { ...one, x: placed[0].x + ((one.x - placed[0].x + 540) % 360 + 360) % 360 - 180 }));
  const middle = (all.map(({ y }) => y).sort((a, b) => a - b)[all.length >> 1] * Math.PI) / 180;
  const bend = 1 - ECCENTRICITY_2 * Math.sin(middle) ** 2;
  const north = (RADIUS_M * (1 - ECCENTRICITY_2) / bend ** 1.5) * (Math.PI / 180);
  const east = (RADIUS_M / Math.sqrt(bend)) * Math.cos(middle) * (Math.PI / 180);
  const [left, low] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
  return all.map((one) => ({ ...one, x: (one.x - left) * east, y: (one.y - low) * north }));
}

/** A list of objects, `{"nodes": [...]}`, or a collection of points. */
function jsonRows(text: string): Row[] {
  const tree: unknown = JSON.parse(text);
  const { features, nodes } = (tree ?? {}) as { features?: unknown; nodes?: unknown };
  const found = [features, nodes, tree].find(Array.isArray) as unknown[] | undefined;
  return (found ?? []).map((one) => {
    const row = (typeof one === "object" && one !== null ? one : {}) as Row;
    const { type, coordinates } = (row["geometry"] ?? {}) as { type?: unknown; coordinates?: unknown };
    const properties = (row["properties"] ?? {}) as Row;
    if (type !== "Point" || !Array.isArray(coordinates)) return { ...properties, ...row };
    return { id: row["id"], ...properties, lon: coordinates[0] as unknown, lat: coordinates[1] as unknown };
  });
}

/** Lines of fields with commas or semicolons; a field in quotes may have both, and quotes twice. */
function csvRows(text: string): Row[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).filter((line) => line.trim() !== "");
  const split = (lines[0] ?? "").includes(";") ? ";" : ",";
  const field = new RegExp(`(?:^|${split})(?:"((?:[^"]|"")*)"|([^${split}]*))`, "g");
  const cells = (line: string): string[] => [...line.matchAll(field)].map(([, quoted, plain]) =>
    (quoted === undefined ? plain : quoted.replaceAll("\"\"", "\"")).trim());
  const header = cells(lines[0] ?? "");
  return lines.slice(1).map((line) => Object.fromEntries(cells(line).map((cell, at) => [header[at] ?? "", cell])));
}

const metres = (value: number): string => `${Math.round(value * 10) / 10} m`;

/** Return a scenario of nodes that hear each other by distance, with a flow from the first to the one farthest from it. */
export function scenarioOf(placed: readonly Placed[], fileName: string): string {
  const [from] = placed;
  const far = ({ x, y }: Placed): number => Math.hypot(x - from.x, y - from.y);
  const to = placed.reduce((best, one) => (far(one) > far(best) ? one : best));
  const name = fileName.replace(/[^\w. -]/g, "");
  return `# The nodes of ${name}. They hear each other by distance: see radio.receive_range.
warmup = "2 s"
duration = "20 s"

[topology]
kind = "explicit"

[radio]
receive_range = "250 m"
sense_range = "550 m"

[routing]
kind = "aodv"

[scheme]
name = "udp"

[traffic]
load = "20 kbit/s"
start = "0.5 s"

${placed.map((node) => `[[node]]\nname = "${node.name}"\nx = "${metres(node.x)}"\ny = "${metres(node.y)}"\n`).join("\n")}
[[flow]]
from = "${from.name}"
to = "${to.name}"
`;
}
