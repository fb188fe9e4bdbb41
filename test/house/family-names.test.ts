import { describe, expect, it } from "vitest";
import { filesThatNameFamilies } from "./family-names.ts";
import { sourcesBelow } from "./source-files.ts";

const CUSTODY = "packages/custody/src";
const GATEWAY = "packages/gateway/src";
/**
 * The files that name a chain family outside the family's folders, and why. A new family edits the first ones; CONTRIBUTING
 * names them.
 */
const NAMED: Readonly<Record<string, string>> = {
  "packages/chains/src/registry.ts": "the registry of families",
  "packages/chains/src/node.ts": "the registry of nodes",
  [`${CUSTODY}/network.ts`]: "the networks of each family",
  [`${CUSTODY}/families/fee-levels.ts`]: "the fee levels of families with priorities",
  [`${CUSTODY}/chain-request/transaction-body.ts`]: "the templates of transactions",
  [`${GATEWAY}/schemas/holding.ts`]: "the answer of fees, of families with priorities",
  [`${GATEWAY}/document/page-script.ts`]: "examples of addresses on the page",
  "packages/chains/src/evm.ts": "exports of EVM for the benchmark",
  "packages/cli/src/bench/cluster/direct-signing.ts": "the benchmark signs EVM transfers",
  "packages/cli/src/commands/up.ts": "the option of the EVM node",
  "packages/cli/src/program.ts": "words of the options",
  [`${CUSTODY}/authorisation/key-export.ts`]: "FROST_BITCOIN is a protocol of the vendor's API",
  [`${CUSTODY}/authorisation/key-import.ts`]: "FROST_BITCOIN is a protocol of the vendor's API",
  [`${CUSTODY}/authorisation/signature.ts`]: "records of version 1 are of EVM",
  [`${CUSTODY}/errors/requests.ts`]: "words of a remedy",
  [`${CUSTODY}/errors/wallets.ts`]: "words of a remedy",
  [`${CUSTODY}/signature/signature-view.ts`]: "words of the API's document",
  [`${CUSTODY}/signature/signature-judgement.ts`]: "the family that the API assumes where none is named",
  [`${GATEWAY}/chain-request/replace-request.ts`]: "only EVM's market bounds a replacement",
  [`${GATEWAY}/document/examples/networks.ts`]: "an example of the API's document",
  [`${GATEWAY}/document/examples/wallets.ts`]: "an example of the API's document",
  [`${GATEWAY}/document/introductions.ts`]: "words of the API's document",
  [`${GATEWAY}/document/vocabulary/policies.ts`]: "words of the API's document",
  [`${GATEWAY}/document/vocabulary/requests.ts`]: "words of the API's document",
  [`${GATEWAY}/document/vocabulary/wallets.ts`]: "words of the API's document",
  [`${GATEWAY}/fuzz/costly-bodies.ts`]: "bodies that are costly to read, by family",
  [`${GATEWAY}/fuzz/readable-things.ts`]: "bodies of requests on the first network",
  [`${GATEWAY}/key-passage/export-request.ts`]: "FROST_BITCOIN is a protocol of the vendor's API",
  [`${GATEWAY}/key-passage/import-request.ts`]: "FROST_BITCOIN is a protocol of the vendor's API",
  [`${GATEWAY}/routes/networks.ts`]: "words of the API's document",
  [`${GATEWAY}/routes/organisation.ts`]: "words of the API's document",
  [`${GATEWAY}/schemas/contract-call.ts`]: "contracts are asked on EVM networks alone",
  "packages/simulator/src/chain/simulated-chain.ts": "the simulated chain of accounts",
  "packages/simulator/src/chain/world-chains.ts": "the chains of worlds",
  "packages/simulator/src/chain/world-networks.ts": "the chains of worlds",
  "packages/threshold/src/export/export.ts": "FROST_BITCOIN is a protocol of the vendor's API",
  "packages/threshold/src/import/request.ts": "FROST_BITCOIN is a protocol of the vendor's API",
};

/** Simulated ledgers and client drivers, whose files belong to one family each. */
const OF_FAMILIES = /^packages\/(?:ledgers|testbed)\//;

describe("the names of chain families", () => {
  it("stand in their folders, in the registries, and in the files that are listed", () => {
    const files = sourcesBelow("packages").filter(
      ({ path }) => path.includes("/src/") && !OF_FAMILIES.test(path),
    );
    expect(filesThatNameFamilies(files)).toEqual(Object.keys(NAMED).sort());
  });

  it("are found in identifiers and texts, and not in comments, longer words, tests or own folders", () => {
    const of = (path: string, text: string) => ({ path, text });
    expect(
      filesThatNameFamilies([
        of("a.ts", 'if (family === "Tron") stop();'),
        of("b.ts", "import { spellSolanaToken } from custody;"),
        of("c.ts", "const XRPL_FAMILY = 1;"),
        of("d.ts", "/* Bitcoin */ const electron = 1; // Solana"),
        of("e.test.ts", 'const family = "Tron";'),
        of("src/stellar/f.ts", 'const family = "Stellar";'),
      ]),
    ).toEqual(["a.ts", "b.ts", "c.ts"]);
  });
});
