import { type FaultOutcome, parsePlan } from "@conclave/chaos";
import { describe, expect, it } from "vitest";
import { expectationsOf } from "./expectations.ts";

const BEGAN_AT_MS = 1_000_000;

/**
 * The deviations that a plan allows. For each fault, `began` has the time at which it began, or undefined if
 * that time never came, or a text that says what went wrong.
 */
const allowed = (text: string, ...began: readonly (number | string | undefined)[]) => {
  const parsed = parsePlan(`load 2 transfers a second for 30s on EthereumSepolia, Stellar\n${text}`);
  if (!parsed.ok) expect.fail(JSON.stringify(parsed.problems));
  const outcomes = parsed.plan.faults.map(({ fault: { kind } }, at): FaultOutcome => {
    const one = began[at];
    const [beganMs, trouble] = typeof one === "string" ? [undefined, one] : [one, undefined];
    return { text: "", kind, beganMs, healedMs: undefined, trouble };
  });
  return expectationsOf(parsed.plan, outcomes, BEGAN_AT_MS);
};

describe("the allowance of a plan", () => {
  it("is nothing where no fault began", () => {
    const plan = `
      nats forgets everything when request 999 is signed
      reorganise EthereumSepolia by 3 blocks when request 999 is signed
      signer-2 lies in presign/2.D when request 999 is signed
      kill Stellar when request 999 is signed
      disk of signer-2 goes back by 2m when request 999 is signed
      kill orchestrator-1 when it reaches transfer.signed`;
    expect(allowed(plan)).toEqual({
      liars: [],
      named: [],
      changedStores: [],
      reportedOldCopies: [],
      disturbed: [],
      busLost: [],
      isBusInOrder: true,
      reorganised: [],
      overloaded: [],
      hasStrangers: false,
    });
  });

  it("K8 is no late answer while another organisation overloads, unless what answers is disturbed as well", () => {
    const overload = "another organisation overloads EthereumSepolia from 4s to 9s";
    const overloaded = (plan: string, ...began: readonly number[]) => allowed(plan, ...began).overloaded;
    const span = { fromMs: BEGAN_AT_MS + 4_100, untilMs: Number.POSITIVE_INFINITY };
    expect(overloaded(overload, 4_100)).toEqual([span]);
    expect(allowed(overload, 4_100).hasStrangers).toBe(true);
    expect(overloaded(overload)).toEqual([]);
    expect(overloaded(`gateways 2\n${overload}\nkill gateway-2 at 5s`, 4_100, 5_000)).toEqual([span]);
    for (const fault of ["kill postgres", "kill gateway-1", "cut gateway-1 → postgres"]) {
      expect(overloaded(`${overload}\n${fault} at 5s`, 4_100, 5_000)).toEqual([]);
    }
  });

  it("is that the bus lacks what it had when it forgot", () => {
    const plan = "nats forgets everything at 8s\nnats forgets everything at 4s";
    const until = (untilMs: number) => ({ fromMs: 0, untilMs });
    expect(allowed(plan, 8_100, 4_100).busLost).toEqual([
      until(BEGAN_AT_MS + 8_100),
      until(BEGAN_AT_MS + 4_100),
    ]);
    expect(allowed(plan, undefined, 4_100).busLost).toEqual([until(BEGAN_AT_MS + 4_100)]);
    expect(allowed(plan, "it did not start again").busLost).toEqual([until(Number.POSITIVE_INFINITY)]);
  });

  it("is that the bus lacks the last minutes where it went back by so much, and nothing from before", () => {
    const [span, ...others] = allowed("nats goes back by 2m at 8s", 8_900).busLost ?? [];
    expect(others).toEqual([]);
    expect(span?.untilMs).toBe(BEGAN_AT_MS + 8_900);
    expect(span?.fromMs).toBeLessThanOrEqual(BEGAN_AT_MS + 8_000 - 120_000);
    expect(span?.fromMs).toBeGreaterThan(BEGAN_AT_MS - 140_000);
  });

  it("is that the bus lacks what the database dated by a clock that was moved, and nothing that it dated otherwise", () => {
    const forgets = "nats forgets everything at 20s";
    const lost = (plan: string, ...began: readonly number[]) => {
      const spans = allowed(`${forgets}\n${plan}`, 20_000, ...began).busLost ?? [];
      return (ms: number): boolean =>
        spans.some(({ fromMs, untilMs }) => fromMs <= BEGAN_AT_MS + ms && BEGAN_AT_MS + ms <= untilMs);
    };
    const [hour, day] = [3_600_000, 86_400_000];
    const ahead = lost("move the clock of postgres by +1h at 8s", 8_000);
    expect([5_000, hour + 8_000, hour + 19_000].map(ahead)).toEqual([true, true, true]);
    // published after the bus forgot, or dated so by another setting of the clock
    expect([12_000, 21_000, hour + 5_000, hour + 22_000].map(ahead)).toEqual([false, false, false, false]);
    const both = lost(
      "move the clock of postgres by +1h at 4s\nmove the clock of postgres by +1d at 8s",
      4_000,
      8_000,
    );
    expect([2_000, hour + 6_000, day + hour + 15_000].map(both)).toEqual([true, true, true]);
    expect([day + 15_000, 8_000].map(both)).toEqual([false, false]);
    const never = lost("move the clock of postgres by -1h when request 999 is signed");
    expect(never(12_000)).toBe(true);
    expect(lost("move the clock of signer-1 by +1h at 8s", 8_000)(hour + 12_000)).toBe(false);
  });

  it("is another order on the bus where several publish, or publishing fails, and in no other case", () => {
    const inOrder = (plan: string, ...began: readonly number[]) => allowed(plan, ...began).isBusInOrder;
    expect(inOrder("gateways 2\nkill gateway-1, orchestrator-1, signer-1 at 5s", 5_000)).toBe(true);
    expect(inOrder("orchestrators 2")).toBe(false);
    expect(inOrder("pause nats at 5s", 5_000)).toBe(false);
    expect(inOrder("cut orchestrator-1 → nats at 5s", 5_000)).toBe(false);
    expect(inOrder("kill postgres at 5s", 5_000)).toBe(false);
  });

  it("is a reorganisation of the chains whose blocks were undone or nodes killed, and of no others", () => {
    expect(allowed("reorganise EthereumSepolia by 3 blocks at 5s", 5_000).reorganised).toEqual([
      "EthereumSepolia",
    ]);
    expect(allowed("kill Stellar, signer-1 at 5s", 5_000).reorganised).toEqual(["Stellar"]);
    expect(
      allowed("pause Stellar at 5s\nStellar holds transactions at 6s", 5_000, 6_000).reorganised,
    ).toEqual([]);
  });

  it("is that what signers report does not come on record while its way is disturbed, and a moment longer", () => {
    const plan =
      "kill signer-1 at 4s\npause postgres at 6s\nkill gateway-1, nats at 8s\nnats delivers twice at 8s";
    const from = (ms: number) => ({ fromMs: BEGAN_AT_MS + ms, untilMs: Number.POSITIVE_INFINITY });
    expect(allowed(plan, 4_100, undefined, 8_100, 8_100).disturbed).toEqual([from(3_100)]);
    expect(allowed(plan, undefined, "it hangs").disturbed).toEqual([
      { fromMs: 0, untilMs: Number.POSITIVE_INFINITY },
    ]);
  });

  it("is a report of an old copy by signers with changed stores, which is required if nothing else happened", () => {
    const plan = `
      disk of signer-2 goes back by 2m at 8s
      disk of signer-3 goes back by 2m at 9s
      disk of signer-4 loses the entry request/* at 10s
      disk of signer-5 goes back by 5s when request 999 is signed
      disk of signer-4 goes back by 5s at 4s`;
    const at = [8_100, 9_100, 10_100, undefined, 4_100];
    expect(allowed(plan, ...at)).toMatchObject({ changedStores: [2, 3, 4, 4], reportedOldCopies: [2, 3] });
    expect(allowed(`${plan}\nkill signer-1 at 11s`, ...at)).toMatchObject({ reportedOldCopies: [2, 3] });
    const killed = allowed(`${plan}\nkill signer-1 at 11s`, ...at, 11_100);
    expect(killed).toMatchObject({ changedStores: [2, 3, 4, 4], reportedOldCopies: [] });
    expect(allowed("disk of signer-2 goes back by 2m at 8s", "no copy")).toMatchObject({
      changedStores: [2],
      disturbed: [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }],
    });
  });

  it("is a recorded fault of a signer that lied, which is required if nothing else happened", () => {
    const plan =
      "signer-2 lies in presign/2.D at 3s\nsigner-4 lies in sign/5.sigma at 9s\nkill gateway-1 at 9s";
    expect(allowed(plan, 3_000)).toMatchObject({ liars: [2], named: [2] });
    expect(allowed(plan, 3_000, 9_000, 9_000)).toMatchObject({ liars: [2, 4], named: [] });
    // in the dispute that follows the liar stays silent, and the others' opened values name it
    expect(allowed("signer-2 lies in presign/3.delta at 3s", 3_000)).toMatchObject({
      liars: [2],
      named: [2],
    });
  });
});
