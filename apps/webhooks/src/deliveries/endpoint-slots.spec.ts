import { EndpointSlots } from './endpoint-slots';

describe('slots of an endpoint', () => {
  it('are limited per endpoint, not by what others take', () => {
    const slots = new EndpointSlots({ perEndpoint: 2, total: 10 });
    expect(['a', 'a', 'a', 'b'].map((endpoint) => slots.tryTake(endpoint))).toEqual([true, true, false, true]);
    expect(slots.inFlight).toBe(3);
  });

  it('are limited in all', () => {
    const slots = new EndpointSlots({ perEndpoint: 2, total: 2 });
    expect(['a', 'b', 'c'].map((endpoint) => slots.tryTake(endpoint))).toEqual([true, true, false]);
    slots.release('a');
    expect(slots.tryTake('c')).toBe(true);
  });

  it('remember that a busy endpoint has more to do', () => {
    const slots = new EndpointSlots({ perEndpoint: 1, total: 10 });
    slots.tryTake('a');
    expect(slots.refusalsOf('a')).toBe(0);
    slots.tryTake('a');
    expect(slots.refusalsOf('a')).toBe(1);
  });

  it('keep a refusal that came while the last look found nothing', () => {
    const slots = new EndpointSlots({ perEndpoint: 1, total: 10 });
    slots.tryTake('a');
    slots.tryTake('a');
    const seen = slots.refusalsOf('a');
    slots.tryTake('a');
    slots.settleRefusals('a', seen);
    expect(slots.refusalsOf('a')).toBe(2);
    slots.settleRefusals('a', 2);
    expect(slots.refusalsOf('a')).toBe(0);
  });

  it('leave nothing behind once all are given back', () => {
    const slots = new EndpointSlots({ perEndpoint: 1, total: 10 });
    slots.tryTake('a');
    slots.tryTake('a');
    slots.release('a');
    expect([slots.inFlight, slots.refusalsOf('a')]).toEqual([0, 0]);
    expect(slots.tryTake('a')).toBe(true);
  });
});
