import { DfnsApiClient, DfnsError } from "@dfns/sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompatWorld } from "./compat-world.ts";

const examplesSchema = z.record(z.string(), z.object({ value: z.unknown() }));
const documentSchema = z.object({ paths: z.record(z.string(), z.unknown()) });
const postSchema = z.object({
  post: z.object({
    requestBody: z.object({
      content: z.object({ "application/json": z.object({ examples: examplesSchema }) }),
    }),
  }),
});

/** The document's example bodies for a POST to a path. */
const documentedBodies = async (url: string, path: string): Promise<readonly unknown[]> => {
  const { paths } = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  const { content } = postSchema.parse(paths[path]).post.requestBody;
  return Object.values(content["application/json"].examples).map(({ value }) => value);
};

/** Tests tokens and errors as clients see them. */
export const wireBehaviour = (world: () => CompatWorld): void => {
  describe("the wire", () => {
    it("gives tokens that the library finds to be of the organisation, and of no other", async () => {
      const { api, developer } = world().cluster.description;
      const client = (orgId: string) =>
        new DfnsApiClient({ baseUrl: api.url, authToken: developer.token, orgId });
      expect((await client(developer.orgId).wallets.listWallets()).items.length).toBeGreaterThan(0);
      await expect(client("or-00000-00000-0000000000000000").wallets.listWallets()).rejects.toThrow(
        "Provided auth token is not scoped to org ID",
      );
    });

    it("gives errors whose message the library finds, with what helps", async () => {
      const error = await world()
        .service.wallets.transferAsset({
          walletId: world().treasury.id,
          body: { kind: "Native", to: "nowhere", amount: "1" },
        })
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(DfnsError);
      expect(error).toMatchObject({
        httpStatus: 400,
        message: expect.stringMatching(/\w/),
        context: {
          body: {
            error: {
              id: expect.any(String),
              status: 400,
              details: { code: expect.any(String), remedy: expect.any(String) },
            },
          },
        },
      });
    });

    it("says 401 without a valid token", async () => {
      const baseUrl = world().cluster.description.api.url;
      const client = new DfnsApiClient({ baseUrl, authToken: "a.b.c" });
      await expect(client.wallets.listWallets()).rejects.toMatchObject({ httpStatus: 401 });
    });
  });

  describe("the examples of asking a contract", () => {
    it.each([
      ["/networks/{network}/call-function", "/networks/ethereum-sepolia/call-function", "0"],
      ["/networks/read-contract", "/networks/read-contract", expect.objectContaining({ kind: "Evm" })],
    ])("of %s find the token that a chain of one's own has", async (named, path, expected) => {
      const { api, developer } = world().cluster.description;
      const bodies = await documentedBodies(api.url, named);
      expect(bodies).toHaveLength(1);
      for (const body of bodies) {
        const answer = await fetch(`${api.url}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${developer.token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: expected });
      }
    });
  });

  describe("the fees of a network", () => {
    it("come in three levels", async () => {
      const fees = await world().service.networks.getFees({ query: { network: "EthereumSepolia" } });
      expect(fees).toMatchObject({
        kind: "Eip1559",
        network: "EthereumSepolia",
        slow: { maxFeePerGas: expect.stringMatching(/^\d+$/) },
        fast: { maxPriorityFeePerGas: expect.stringMatching(/^\d+$/) },
      });
    });
  });
};
