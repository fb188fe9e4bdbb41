import { makeProgram } from "@conclave/cli";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { cluster } from "./shared-cluster.ts";

const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";
const walletSchema = z.looseObject({ id: z.string(), name: z.string().optional(), network: z.string() });

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
      await expect(conclave("wallet", "create", "--network", "Nowhere")).rejects.toMatchObject({
        message: expect.stringContaining("NetworkUnknown"),
        remedy: expect.stringContaining("EthereumSepolia"),
      });
      const unknown = "ap-7m2x4-1b8nq-3f5g7j9k1l3z5x7c";
      await expect(conclave("approve", unknown)).rejects.toThrow("ApprovalNotFound");
    });

    it("asks nobody about what is no id", async () => {
      await expect(conclave("approve", "ap-none")).rejects.toThrow("ap-none is no id of an approval");
    });

    it("shows what the processes wrote", async () => {
      expect(await conclave("logs", "gateway", "--lines", "5")).toContain("gateway");
    });
  });
};
