import { expect, it } from "vitest";
import { laneNames, timelineText } from "./timeline.ts";

const line = (ms: number, process: string, words: string) => ({ atUs: ms * 1_000, process, words });

it("a timeline has a lane for each process, which shows its death, its pause and its return", () => {
  const names = laneNames({ gateways: 1, orchestrators: 1, signers: 2 });
  const text = timelineText(
    [
      line(0, "signer-1", "starts its life 1"),
      line(1_000, "gateway-1", "accepts transfer 1"),
      line(1_500, "signer-1", "dies"),
      line(1_500, "faults", "begun: kill signer-1 from 1s to 3s"),
      line(2_000, "orchestrator-1", "is paused"),
      line(2_500, "transfers", "transfer 1 is Confirmed"),
      line(2_600, "orchestrator-1", "goes on"),
      line(3_000, "signer-1", "starts its life 2"),
      line(12_000, "signer-2", "ends by itself: its disk is full"),
    ],
    names,
  );
  expect(text.split("\n")).toEqual([
    "            g1 o1 s1 s2",
    "  1.000 s   ●  │  │  │    gateway-1 accepts transfer 1",
    "  1.500 s   │  │  ×  │    signer-1 dies",
    "  1.500 s   │  │     │    begun: kill signer-1 from 1s to 3s",
    "  2.000 s   │  ‖     │    orchestrator-1 is paused",
    "  2.500 s   │  ‖     │    transfer 1 is Confirmed",
    "  2.600 s   │  │     │    orchestrator-1 goes on",
    "  3.000 s   │  │  ○  │    signer-1 starts its life 2",
    " 12.000 s   │  │  │  ●    signer-2 ends by itself: its disk is full",
  ]);
});

it("a timeline leaves no lane too narrow for its name", () => {
  const [head] = timelineText([], laneNames({ gateways: 1, orchestrators: 1, signers: 10 })).split("\n");
  expect(head).toContain("s8  s9  s10");
});
