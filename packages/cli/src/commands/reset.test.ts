import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { isAgreed } from "./reset.ts";

const terminal = (answer: string, isTTY = true) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(`${answer}\n`);
  return { input, output: new PassThrough() };
};

it.each([
  ["local", true],
  [" local ", true],
  ["yes", false],
  ["", false],
])("a reset of local goes on after the answer %o: %s", async (answer, isMeant) => {
  expect(await isAgreed("local", terminal(answer))).toBe(isMeant);
});

it("a reset does not go on where the terminal ends without an answer", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const asking = isAgreed("local", { input, output: new PassThrough() });
  input.end();
  expect(await asking).toBe(false);
});

it("a reset without a terminal is refused, with the setting that asks for it", async () => {
  await expect(isAgreed("second", terminal("second", false))).rejects.toMatchObject({
    message: expect.stringContaining("nobody can be asked here"),
    remedy: "Say so beforehand: make reset YES=1 NAME=second",
  });
});
