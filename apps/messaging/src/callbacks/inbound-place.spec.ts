import { ORDERS } from '../messages/message-id';
import { placeOfInbound } from './inbound-place';

const first = Date.UTC(2026, 2, 2, 10, 15, 4);
const writtenAt = new Date(first);
const last = new Date(first + 999);
const placeAt = (arrivedMs: number, position = 0) =>
  placeOfInbound(writtenAt, { arrivedAt: new Date(first + arrivedMs), position });

describe('placeOfInbound', () => {
  it('uses the arrival time if it is within the second', () => {
    expect(placeAt(537)).toEqual({ at: new Date(first + 537), order: 0 });
    expect(placeAt(537, 3)).toEqual({ at: new Date(first + 537), order: 3 });
    expect(placeAt(999)).toEqual({ at: last, order: 0 });
  });

  it("uses the start of the second when upstream's clock is ahead", () =>
    expect(placeAt(-5_000, 2)).toEqual({ at: writtenAt, order: 2 }));

  it('orders late arrivals by delay at the end of the second', () => {
    const places = [
      placeAt(999, 7),
      placeAt(1_000),
      placeAt(1_000, 1),
      placeAt(1_001),
      placeAt(30_000),
      placeAt(4_000_000),
    ];
    expect(places.map(({ at }) => at)).toEqual(places.map(() => last));
    expect(places.map(({ order }) => order)).toEqual(
      places.map(({ order }) => order).toSorted((one, other) => one - other),
    );
    expect(new Set(places.map(({ order }) => order)).size).toBe(places.length);
  });

  it('caps very late arrivals at the last id of the second', () => {
    expect(placeAt(90 * 86_400_000, 9_999)).toEqual({ at: last, order: ORDERS - 1 });
  });
});
