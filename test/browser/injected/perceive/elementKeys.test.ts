import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml, openPath } = observerHarness();

describe('the key of an element', () => {
  it('stays the same in later observations', async () => {
    const observed = await openHtml('<button>One</button><button>Two</button>');
    const before = (await observed.observe()).elements.map(({ key }) => key);
    await observed.page.evaluate(() => document.body.prepend(document.createElement('p')));
    expect((await observed.observe()).elements.map(({ key }) => key)).toEqual(before);
  });

  it('is the next free number for an element that appears later', async () => {
    const observed = await openHtml('<button>One</button>');
    await observed.observe();
    await observed.page.evaluate(() => {
      document.body.insertAdjacentHTML('afterbegin', '<button>Zero</button>');
    });
    expect((await observed.observe()).elements.map(({ key, name }) => [key, name])).toEqual([
      [2, 'Zero'],
      [1, 'One'],
    ]);
  });

  it('passes to the element that replaces its element in a re-render', async () => {
    const observed = await openPath('/spa#/users');
    const before = await observed.observe();
    await observed.page.evaluate('rerender()');
    const after = await observed.observe();
    expect(after.elements.map(({ key }) => key)).toEqual(before.elements.map(({ key }) => key));
  });

  it('passes to the element that replaces its element when only its name grows', async () => {
    const cart = (name: string) =>
      `<p><a href="/home">Home</a><a href="/cart">${name}</a><a href="/help">Help</a></p>`;
    const observed = await openHtml(cart('Cart'));
    await observed.observe();
    const keysNow = async (body: string) => {
      await observed.page.evaluate(html => {
        document.body.innerHTML = html;
      }, body);
      return (await observed.observe()).elements.map(({ key }) => key);
    };
    expect(await keysNow(cart('Cart (1)'))).toEqual([1, 2, 3]);
    expect(await keysNow(cart('Basket'))).toEqual([1, 4, 3]);
  });

  it('passes on when the names of several neighbours grow, with a new one between them', async () => {
    const folders = (...names: string[]) =>
      `<nav>${names.map(name => `<a href="/f">${name}</a>`).join('')}</nav>`;
    const observed = await openHtml(folders('Inbox', 'Drafts (1)', 'Outbox'));
    await observed.observe();
    await observed.page.setContent(folders('Inbox (3)', 'Today', 'Drafts (2)', 'Outbox'));
    const { elements } = await observed.observe();
    expect(elements.map(({ name, key }) => [name, key])).toEqual([
      ['Inbox (3)', 1],
      ['Today', 4],
      ['Drafts (2)', 2],
      ['Outbox', 3],
    ]);
  });

  it('passes to the button of a row whose text grows', async () => {
    const orders = (...names: string[]) =>
      `<ul>${names.map(name => `<li><b>${name}</b> <button>Open</button></li>`).join('')}</ul>`;
    const observed = await openHtml(orders('Order 12', 'Order 13'));
    await observed.observe();
    await observed.page.setContent(orders('Order 12 paid', 'Order 13'));
    expect((await observed.observe()).elements.map(({ key }) => key)).toEqual([1, 2]);
    await observed.page.setContent(orders('Order 13', 'Order 14'));
    expect((await observed.observe()).elements.map(({ key }) => key)).not.toContain(1);
  });

  it('passes to the button of its row when a re-render leaves out the row above', async () => {
    const people = (...names: string[]) =>
      `<ul>${names.map(name => `<li><b>${name}</b> <button>Edit</button></li>`).join('')}</ul>`;
    const observed = await openHtml(people('Ann', 'Bob', 'Cem', 'Dan'));
    await observed.observe();
    await observed.page.setContent(people('Bob', 'Dan', 'Cem'));
    expect((await observed.observe()).elements.map(({ key }) => key)).toEqual([2, 4, 3]);
  });

  it('does not pass to one of several equal elements', async () => {
    const observed = await openHtml('<div id="r"><button>Same</button></div>');
    await observed.observe();
    await observed.page.setContent('<div id="r"><button>Same</button><button>Same</button></div>');
    const { elements } = await observed.observe();
    expect(elements.map(({ key }) => key)).not.toContain(1);
  });

  it('resolves to gone after its element is removed', async () => {
    const observed = await openHtml('<button>One</button>');
    const { key } = await observed.find('One');
    await observed.page.evaluate(() => document.querySelector('button')?.remove());
    expect(await observed.resolve(key)).toEqual({ state: 'gone' });
  });

  it('resolves to another fingerprint after its element changes its meaning', async () => {
    const observed = await openHtml('<button>Save</button>');
    const { key, fingerprint } = await observed.find('Save');
    await observed.page.evaluate(() => {
      const button = document.querySelector('button');
      if (button !== null) button.textContent = 'Delete';
    });
    const now = await observed.resolve(key);
    expect(now.state === 'present' && now.fingerprint !== fingerprint).toBe(true);
  });

  it('keeps its fingerprint when only value and state change', async () => {
    const observed = await openHtml('<input aria-label="Name"><button aria-expanded="false">Menu</button>');
    const before = (await observed.observe()).elements.map(({ fingerprint }) => fingerprint);
    await observed.page.fill('input', 'Ann');
    await observed.page.evaluate(() =>
      document.querySelector('button')?.setAttribute('aria-expanded', 'true'),
    );
    expect((await observed.observe()).elements.map(({ fingerprint }) => fingerprint)).toEqual(before);
  });

  it('resolves to covered when another element lies on top', async () => {
    const observed = await openHtml(`<button>Under</button>
      <div style="position:fixed;inset:0;background:#fff"><button>Close the veil</button></div>`);
    const { key } = await observed.find('Under');
    const now = await observed.resolve(key);
    expect(now).toMatchObject({ state: 'present', status: 'covered' });
  });

  it('resolves to a point to click on an element with a hollow center', async () => {
    const observed = await openHtml(
      '<svg width="100" height="100"><path onclick="1" d="M10 90 A 80 80 0 0 1 90 10" fill="none" stroke="red" stroke-width="8"/></svg>',
    );
    const { key } = await observed.find('red');
    const now = await observed.resolve(key);
    expect(now.state === 'present' && now.point !== null).toBe(true);
  });
});
