import { printed, succeeds } from "./docker.ts";
import type { Row } from "./table.ts";

/** The required connections, by name and port of the destination; all others must fail. */
const REACHES: Readonly<Record<string, readonly string[]>> = {
  "signer-1": ["signer-2:7000", "signer-5:7000"],
  orchestrator: [
    "signer-1:7000",
    "signer-5:7000",
    "postgres:5432",
    "nats:4222",
    "anvil:8545",
    "ledger-solana:4001",
  ],
  gateway: ["postgres:5432", "nats:4222", "anvil:8545", "ledger-solana:4001"],
  postgres: [],
  nats: [],
  anvil: [],
  "ledger-solana": [],
};
/** Destinations that are tried from each service; the last is outside. */
const PLACES = [
  "signer-1:7000",
  "signer-2:7000",
  "signer-5:7000",
  "postgres:5432",
  "nats:4222",
  "nats:8222",
  "anvil:8545",
  "ledger-solana:4001",
  "ledger-solana:4002",
  "gateway:8080",
  "1.1.1.1:443",
];
/**
 * Connections that may succeed or fail: to itself, to the API of a neighbouring gateway, and to the outside for
 * services that call nodes and webhooks.
 */
const NEUTRAL: Readonly<Record<string, readonly string[]>> = {
  "signer-1": ["signer-1:7000"],
  orchestrator: ["gateway:8080", "signer-2:7000", "1.1.1.1:443"],
  gateway: ["gateway:8080", "1.1.1.1:443"],
  postgres: ["postgres:5432", "gateway:8080"],
  nats: ["nats:4222", "nats:8222", "gateway:8080"],
  anvil: ["anvil:8545", "ledger-solana:4001", "gateway:8080", "1.1.1.1:443"],
  "ledger-solana": ["anvil:8545", "ledger-solana:4001", "ledger-solana:4002", "gateway:8080", "1.1.1.1:443"],
};

/** Images have one or the other. */
const HAS_A_WAY_TO_ASK = "command -v bash || command -v nc";

const isReached = (from: string, place: string): Promise<boolean> => {
  const [host, port] = place.split(":");
  return succeeds(
    from,
    `if command -v bash; then timeout 4 bash -c ': > /dev/tcp/${host}/${port}'; else nc -z -w 4 ${host} ${port}; fi`,
  );
};

/** Tries the connections from inside each container. */
export const tryZones = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const [from, wanted] of Object.entries(REACHES)) {
    const places = PLACES.filter((place) => !NEUTRAL[from]?.includes(place));
    const reached = await Promise.all(
      places.map(async (place) => ({
        place,
        is: await isReached(from, place),
        must: wanted.includes(place),
      })),
    );
    const wrong = reached.filter(({ is, must }) => is !== must);
    const canAsk = await succeeds(from, HAS_A_WAY_TO_ASK);
    rows.push({
      what: `${from} reaches ${wanted.length === 0 ? "nobody" : wanted.join(", ")}, and none of ${places.length - wanted.length} others`,
      isGood: canAsk && wrong.length === 0,
      found: canAsk
        ? wrong.map(({ place, is }) => `${place} ${is ? "is reached" : "is not"}`).join(", ")
        : "its image has neither bash nor nc to ask with",
    });
  }
  return rows;
};

/** Checks where each service may write, its user, and its privileges on the host. */
export const tryContainment = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const service of Object.keys(REACHES)) {
    const user = await printed(service, "id -u");
    const capabilities = await printed(service, "grep CapEff /proc/1/status | cut -f2");
    const noNew = await printed(service, "grep NoNewPrivs /proc/1/status | cut -f2");
    const writes = await succeeds(service, ": > /written || : > /usr/written || : > /cluster/written");
    const wrong = [
      ...(user === "0" ? ["it runs as root"] : []),
      ...(/^0+$/.test(capabilities) ? [] : [`it has capabilities ${capabilities}`]),
      ...(noNew === "1" ? [] : ["it may gain privileges"]),
      ...(writes ? ["it writes into its image"] : []),
    ];
    rows.push({
      what: `${service} is a user without capabilities, and writes into its volumes alone`,
      isGood: wrong.length === 0,
      found: wrong.join(", "),
    });
  }
  return rows;
};
