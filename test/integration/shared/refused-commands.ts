import { readFileSync } from "node:fs";
import {
  COMMAND_LINES,
  expectFailure,
  expectMisuse,
  fittingLine,
  incompleteLines,
  LINES_ABOUT_CLUSTERS,
  wrongLines,
} from "@conclave/cli/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cluster } from "./shared-cluster.ts";

const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";
const ELSEWHERE = ["--network", "Polygon"];
const NO_WEBHOOK = ["--webhook", "wh-5n27h-dxfqg-o8u7tpwvrgnu3ef"];

/**
 * Words that name things of another cluster, by command, each of which is to be refused. A command that is not listed is given values for
 * what it needs, which are of another cluster too.
 */
const STRANGE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  balance: [["wallet-1"], [SOMEBODY], [SOMEBODY, ...ELSEWHERE], ["wa-5n27h-dxfqg-o8u7tpwvrgnu3efz"]],
  "chain advance": [["1h", ...ELSEWHERE]],
  "chain mine": [ELSEWHERE],
  "chain reorganise": [["1", ...ELSEWHERE], ["2000"]],
  fund: [
    ["wallet-1"],
    [SOMEBODY, ...ELSEWHERE],
    [SOMEBODY, "--network", "EthereumSepolia", "--token", "NONE"],
  ],
  logs: [["signer-9"], ["--request", "xfr-5n27h-dxfqg-o8u7tpwvrgnu3efz"]],
  refresh: [["--key", "key-5n27h-dxfqg-o8u7tpwvrgnu3efz"]],
  "renew-certificates": [["--only", "signer-9"]],
  "renew-identity": [["signer-9"]],
  reprovision: [["signer-9"]],
  restart: [["signer-9"]],
  "roster change": [
    ["--remove", "signer-9"],
    ["--lost", "signer-9"],
    ["--cheated", "signer-1", "--evidence", "/nowhere/evidence.json"],
    ["--threshold", "9"],
  ],
  start: [["signer-9"]],
  stop: [["signer-9"]],
  snapshot: [["first"], ["--delete", "first"]],
  "token create": [
    [...ELSEWHERE, "--kind", "Erc20"],
    ["--network", "EthereumSepolia", "--kind", "Asa"],
  ],
  "wallet create": [ELSEWHERE],
  "wallet show": [["wallet-1"], ["wa-5n27h-dxfqg-o8u7tpwvrgnu3efz"]],
  "webhooks events": [NO_WEBHOOK],
  "webhooks trigger": [["wallet.created", ...NO_WEBHOOK]],
};
/** Commands that name nothing of a cluster but itself, and do their work here. */
const NAMING_NOTHING =
  /^(open|env|discard-epochs|events|faults|parked|reconcile|webhooks listen|roster move|\w+ (list|show))$/;

const standingOf = async () => {
  const listed = async (path: string) => (await cluster.api.send("GET", path)).body;
  return {
    roster: readFileSync(cluster.layout.roster, "utf8"),
    description: readFileSync(cluster.layout.description, "utf8"),
    processes: cluster.status().map(({ name, pid, state }) => ({ name, pid, state })),
    wallets: await listed("/wallets"),
    keys: await listed("/keys"),
    webhooks: await listed("/webhooks"),
    policies: await listed("/v2/policies"),
    approvals: await listed("/v2/policy-approvals"),
  };
};

/** Tests of every command with wrong arguments, while the cluster runs. Nothing may change. */
export const refusedCommands = (): void => {
  describe("while a cluster runs", () => {
    let before: Awaited<ReturnType<typeof standingOf>>;
    beforeAll(async () => {
      before = await standingOf();
    });
    afterAll(async () => {
      expect(await standingOf()).toEqual(before);
    });
    const here = () => ({ state: cluster.layout.root });

    it("INV-9: every command refuses with 2 what is wrong in its form", async () => {
      for (const line of COMMAND_LINES) {
        for (const words of [...incompleteLines(line, here()), ...wrongLines(line, here())])
          await expectMisuse(words);
      }
    });

    const strange = LINES_ABOUT_CLUSTERS.filter(
      ({ title }) => STRANGE[title] !== undefined || !NAMING_NOTHING.test(title),
    );
    it.each(strange)("INV-9: conclave $title refuses with 1 what is of another cluster", async (line) => {
      for (const words of STRANGE[line.title] ?? [undefined])
        await expectFailure(fittingLine(line, here(), words));
    });
  });
};
