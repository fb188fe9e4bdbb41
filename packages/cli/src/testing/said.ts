import { afterEach, beforeEach, type MockInstance, vi } from "vitest";

/** The output of each test of this file on one of the process's streams: nothing of it reaches the terminal. */
export const saidTo = (stream: "stdout" | "stderr"): (() => string) => {
  let said: string;
  let write: MockInstance;
  beforeEach(() => {
    said = "";
    write = vi.spyOn(process[stream], "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    write.mockRestore();
  });
  return () => said;
};

/** The part of what a test writes that one command writes. */
export const saidBy = async (said: () => string, command: () => Promise<void>): Promise<string> => {
  const before = said().length;
  await command();
  return said().slice(before);
};
