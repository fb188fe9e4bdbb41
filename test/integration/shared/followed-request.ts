import { describe, expect, it, vi } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { type LoggedEvent, loggedEventsOf } from "../service-log.ts";
import { cluster } from "./shared-cluster.ts";

const SIGNERS = ["signer-1", "signer-2", "signer-3"];

/** The events about one request in a process's log. */
const eventsOf = (process: string, requestId: string): readonly LoggedEvent[] =>
  loggedEventsOf(cluster.layout, process).filter((line) => line.requestId === requestId);

const timeOf = (events: readonly LoggedEvent[], event: string): number => {
  const found = events.find((line) => line.event === event);
  return found === undefined ? expect.fail(`no ${event}`) : Date.parse(found.time);
};

export const followedRequest = (): void => {
  describe("the logs of a cluster", () => {
    it("show by one request id its way from the gateway to every signer and back", async () => {
      const wallet = await makeFundedWallet(cluster);
      const asked = await cluster.api.transfer(wallet.id, {
        kind: "Native",
        to: freshReceiver(),
        amount: "3",
      });
      await cluster.api.confirmed(asked, PATIENCE_MS);
      // the orchestrator logs the settlement after its commit
      const orchestrator = await vi.waitFor(
        () => {
          const events = eventsOf("orchestrator", asked.id);
          expect(events.at(-1)?.event).toBe("request-settled");
          return events;
        },
        { timeout: PATIENCE_MS },
      );
      expect(orchestrator.map(({ event }) => event)).toEqual([
        "request-begun",
        "request-signed",
        "request-broadcast",
        "request-settled",
      ]);
      const signed = orchestrator.find(({ event }) => event === "request-signed");
      expect(signed).toMatchObject({
        session: expect.stringMatching(/^[0-9a-f]{64}$/),
        keyId: expect.stringMatching(/^key-/),
      });
      const gateway = eventsOf("gateway", asked.id);
      expect(gateway.map(({ event }) => event)).toContain("request-accepted");
      for (const signer of SIGNERS) {
        const released = eventsOf(signer, asked.id).filter(({ event }) => event === "signing-released");
        expect(released).toEqual([
          expect.objectContaining({
            session: signed?.["session"],
            keyId: signed?.["keyId"],
          }),
        ]);
        const times = [
          timeOf(gateway, "request-accepted"),
          timeOf(orchestrator, "request-begun"),
          timeOf(released, "signing-released"),
          timeOf(orchestrator, "request-signed"),
          timeOf(orchestrator, "request-broadcast"),
          timeOf(orchestrator, "request-settled"),
        ];
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
    });
  });
};
