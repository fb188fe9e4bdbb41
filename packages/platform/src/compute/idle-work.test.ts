import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { IDLE_MS, openIdleWork } from "./idle-work.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pieces = (count: number, isBusy = { now: false }) => {
  const done: number[] = [];
  const touch = openIdleWork({
    isIdle: () => !isBusy.now && done.length < count,
    work: () => done.push(Date.now()),
  });
  return { done, touch };
};

describe("idle work", () => {
  test("begins when nothing happened for a while, and ends when it is done", () => {
    const { done, touch } = pieces(3);
    touch();
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(done.length).toBe(0);
    vi.runAllTimers();
    expect(done.length).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits again whenever something happens, also between two pieces", () => {
    const { done, touch } = pieces(3);
    touch();
    vi.advanceTimersByTime(IDLE_MS);
    expect(done.length).toBe(1);
    touch();
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(done.length).toBe(1);
    vi.runAllTimers();
    expect(done.length).toBe(3);
  });

  test("does nothing while other work waits, and sets no timer for it", () => {
    const isBusy = { now: true };
    const { done, touch } = pieces(1, isBusy);
    touch();
    expect(vi.getTimerCount()).toBe(0);
    isBusy.now = false;
    touch();
    isBusy.now = true; // a session opens before the quiet period ends
    vi.runAllTimers();
    expect(done.length).toBe(0);
  });
});
