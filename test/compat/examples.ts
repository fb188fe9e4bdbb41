import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { beforeAll, describe, expect, it } from "vitest";
import type { CompatWorld } from "./compat-world.ts";
import { operatorSays } from "./operator.ts";

const FOLDER = "examples";

/** The expected output of each example, line by line. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  "01-create-a-wallet.ts": [/^wa-\S+ is Active, its address is 0x\w{40}$/, /^asked for twice: one wallet$/],
  "02-transfer-ether.ts": [
    /^xfr-\S+ from 0x\w{40} is Pending$/,
    /^it is Confirmed in 0x\w{64}, for a fee of \d+ wei$/,
    /^left: 99\d{17} of ETH$|^left: 9\d{18} of ETH$/,
  ],
  "03-call-a-contract.ts": [/^deployed at 0x\w{40}$/, /^called in 0x\w{64}$/, /^it answers 42$/],
  "04-policy-with-approval.ts": [
    /^plc-\S+ guards wa-\S+$/,
    /^xfr-\S+ is Pending, it waits for ap-\S+$/,
    /^triggered true: /,
    /^approved, and Confirmed$/,
  ],
  "05-receive-webhooks.ts": [/^received wallet\.created, and it is signed$/],
  "06-sign-messages.ts": [/^the message is Signed by the wallet$/, /^the order is Signed by the wallet$/],
  "07-import-a-key.ts": [/^wa-\S+ has the address of our key$/, /^the signers sign for our address$/],
  "08-service-account.ts": [
    /^us-\S+ may: Wallets:Read$/,
    /^it reads wallets: true$/,
    /^it creates none: 403 \w/,
  ],
  "09-list-everything.ts": [/^\d+ wallets, \d+ keys, \d+ policies$/],
  "10-speed-up-a-transaction.ts": [
    /^tx-\S+ waits$/,
    /^tx-\S+ is Confirmed; the first is Failed, replaced by tx-\S+$/,
  ],
  "11-end-user.ts": [/^us-\S+ has wa-\S+$/, /^sees 1 wallet, its own$/, /^logged in again: true$/],
  "12-second-device.ts": [
    /^tablet is active: true$/,
    /^the code again: .*not valid, was used before/,
    /^logged in with the tablet: true$/,
  ],
  "13-recover.ts": [/^the next phone logs in: true$/, /^the lost one does: false$/],
};

/** Tests the examples, each run in a shell that has evaluated `conclave env`. */
export const examples = (world: () => CompatWorld): void => {
  describe("the example", () => {
    let settings: string;
    beforeAll(async () => {
      settings = await operatorSays(world(), "env");
    });

    const run = async (name: string): Promise<readonly string[]> => {
      const words = ["-c", 'eval "$SETTINGS" && exec "$NODE" --import tsx "$EXAMPLE"'];
      const { PATH = "", HOME = "" } = process.env;
      const env = { PATH, HOME, SETTINGS: settings, NODE: process.execPath, EXAMPLE: join(FOLDER, name) };
      const { stdout } = await promisify(execFile)("sh", words, { cwd: repositoryRoot(), env });
      // a webhook receiver also reports the wallets of other examples
      return [...new Set(stdout.trimEnd().split("\n"))];
    };

    it("has a test of its own, whichever it is", () => {
      const names = readdirSync(join(repositoryRoot(), FOLDER)).filter((name) => /^\d\d-/.test(name));
      expect(names.sort()).toEqual(Object.keys(PRINTED));
    });

    // runs alone, because it stops the chain for a moment
    const ALONE = "10-speed-up-a-transaction.ts";
    const others = Object.keys(PRINTED).filter((name) => name !== ALONE);
    it.concurrent.each(others)("%s says what it did", async (name) => {
      expect(await run(name)).toEqual(PRINTED[name]?.map((line) => expect.stringMatching(line)));
    });

    it(`${ALONE} says what it did`, async () => {
      expect(await run(ALONE)).toEqual(PRINTED[ALONE]?.map((line) => expect.stringMatching(line)));
    });
  });
};
