import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { makeProgram } from "@conclave/cli";
import { deliverySignature, WEBHOOK_SIGNATURE_HEADER } from "@conclave/custody";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";
const walletSchema = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  network: z.string(),
  address: z.string(),
});

let exitCode: number | undefined;
let said = "";

/** Runs a `conclave` command on the shared cluster. @returns its output */
const conclave = async (...words: readonly string[]): Promise<string> => {
  said = "";
  exitCode = undefined;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const program = makeProgram((code) => {
    exitCode = code;
  });
  await program.parseAsync(["node", "conclave", ...words, "--state", cluster.layout.root]);
  return said;
};

/** Tests of the commands for clients of the gateway. */
export const commands = (): void => {
  describe("conclave", () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    it("makes a wallet, funds it, and sends what it holds", async () => {
      const made = await conclave(
        "wallet",
        "create",
        "--network",
        "EthereumSepolia",
        "--wallet-name",
        "till",
        "--json",
      );
      const { id } = walletSchema.parse(JSON.parse(made));
      await conclave("fund", "till", "--amount", "2");
      const sent = await conclave("transfer", "--from", id, "--to", SOMEBODY, "--amount", "0.5", "--json");
      expect(JSON.parse(sent)).toMatchObject({ walletId: id, status: "Confirmed" });
      expect(exitCode).toBe(0);
      expect(await conclave("wallet", "show", "till")).toMatch(/ETH +Native +1\.49/);
      const { address } = walletSchema.parse(JSON.parse(await conclave("wallet", "show", id, "--json")));
      for (const holder of ["till", id, address]) {
        expect(JSON.parse(await conclave("balance", holder, "--json"))).toMatchObject({
          wallet: { id, name: "till" },
          network: "EthereumSepolia",
          assets: [{ kind: "Native", balance: expect.stringMatching(/^149/) }],
        });
      }
      expect(await conclave("balance", "till")).toMatch(/ETH +Native +1\.49/);
      const listed = z.array(walletSchema).parse(JSON.parse(await conclave("wallet", "list", "--json")));
      expect(listed.find((wallet) => wallet.id === id)).toMatchObject({ name: "till" });
    });

    it("asks as the service account too, and shows what a policy and an approval are", async () => {
      const service = await conclave("wallet", "list", "--as", "service", "--json");
      expect(z.array(walletSchema).parse(JSON.parse(service)).length).toBeGreaterThan(0);
      expect(JSON.parse(await conclave("policy", "list", "--json"))).toBeInstanceOf(Array);
      expect(JSON.parse(await conclave("approval", "list", "--all", "--json"))).toBeInstanceOf(Array);
    });

    it("passes on what the gateway refuses, with its remedy", async () => {
      await expect(conclave("wallet", "create", "--network", "Cardano")).rejects.toMatchObject({
        message: expect.stringContaining("NetworkNotEnabled"),
        remedy:
          'Use one of the networks in details.networks, or add it to the cluster\'s networks file.\ndetails.networks: ["EthereumSepolia","KeyECDSA","KeyEdDSA"]',
      });
      const unknown = "ap-7m2x4-1b8nq-3f5g7j9k1l3z5x7c";
      await expect(conclave("approve", unknown)).rejects.toThrow("ApprovalNotFound");
    });

    it("says what an address holds, and refuses one that is none or has no network", async () => {
      const shown = await conclave("balance", SOMEBODY, "--network", "EthereumSepolia", "--json");
      expect(JSON.parse(shown)).toMatchObject({ address: SOMEBODY, assets: [{ kind: "Native" }] });
      await expect(conclave("balance", SOMEBODY)).rejects.toThrow(`no wallet has the address ${SOMEBODY}`);
      await expect(
        conclave("balance", `${SOMEBODY}00`, "--network", "EthereumSepolia"),
      ).rejects.toMatchObject({ code: "AddressInvalid" });
      await expect(conclave("balance", SOMEBODY, "--network", "KeyECDSA")).rejects.toThrow(
        "this cluster has no local node of KeyECDSA, so nobody here knows what an address holds",
      );
    });

    it("asks nobody about what is no id", async () => {
      await expect(conclave("approve", "ap-none")).rejects.toThrow("It is no id that begins with ap-");
    });

    it("shows what the processes wrote", async () => {
      expect(await conclave("logs", "gateway", "--lines", "5")).toContain("gateway");
    });

    it("follows one request through the logs of all processes", async () => {
      const wallet = await makeFundedWallet(cluster);
      const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: SOMEBODY, amount: "1" });
      await cluster.api.confirmed(asked, PATIENCE_MS);
      await expect
        .poll(() => conclave("logs", "--request", asked.id), { timeout: PATIENCE_MS })
        .toMatch(/^gateway [\s\S]*^signer-\d [\s\S]*^orchestrator .*settled/m);
      await expect(conclave("logs", "--request", "xfr-7m2x4-1b8nq-3f5g7j9k1l3z5x7c")).rejects.toThrow(
        "no log line of this cluster names",
      );
    });

    it("tries a webhook out with a made-up event, and sends a recorded one again", async () => {
      const heard: { readonly body: string; readonly signature: unknown }[] = [];
      const receiver = createServer(async (request, response) => {
        heard.push({ body: await text(request), signature: request.headers[WEBHOOK_SIGNATURE_HEADER] });
        response.end();
      });
      receiver.listen(0, "127.0.0.1");
      await once(receiver, "listening");
      try {
        const { port } = z.object({ port: z.number() }).parse(receiver.address());
        const url = `http://127.0.0.1:${port}/hook`;
        const made = await cluster.api.send("POST", "/webhooks", { url, events: ["wallet.created"] });
        const { id, secret } = z.object({ id: z.string(), secret: z.string() }).parse(made.body);
        await conclave("webhooks", "trigger", "wallet.created", "--webhook", id);
        expect(exitCode).toBe(0);
        expect(heard).toEqual([
          { body: expect.any(String), signature: deliverySignature(secret, heard[0]?.body ?? "") },
        ]);
        await conclave("wallet", "create", "--network", "EthereumSepolia", "--wallet-name", "announced");
        await expect.poll(() => heard.length, { timeout: PATIENCE_MS }).toBe(2);
        const recorded = async () =>
          z
            .array(z.looseObject({ id: z.string() }))
            .parse(JSON.parse(await conclave("webhooks", "events", "--webhook", id, "--json")));
        await expect.poll(async () => (await recorded()).length, { timeout: PATIENCE_MS }).toBe(1);
        await conclave("webhooks", "resend", (await recorded())[0]?.id ?? "");
        expect(exitCode).toBe(0);
        expect(heard).toHaveLength(3);
        expect(JSON.parse(heard[2]?.body ?? "")).toMatchObject({ kind: "wallet.created" });
        await cluster.api.send("DELETE", `/webhooks/${id}`);
      } finally {
        receiver.close();
      }
    });
  });
};
