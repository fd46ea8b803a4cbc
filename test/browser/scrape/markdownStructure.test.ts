import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markdownShape } from '../../support/markdownShape.ts';
import { ScrapeHarness } from '../../support/scrapeHarness.ts';

let harness: ScrapeHarness;
beforeAll(async () => {
  harness = await ScrapeHarness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

type Case = readonly [what: string, markup: string, shape: string];

describe('a parser of CommonMark and GFM finds the structure of the page in its Markdown:', () => {
  const lists: readonly Case[] = [
    [
      'nested lists',
      '<ul><li>A<ol><li>B<ul><li>C</li></ul></li></ol></li><li>D</li></ul>',
      '<ul><li>A<ol 1><li>B<ul><li>C</li></ul></li></ol></li><li>D</li></ul>',
    ],
    [
      'a list in a list without an item around it',
      '<ul><li>A</li><ul><li>B</li></ul><li>C</li></ul>',
      '<ul><li>A<ul><li>B</li></ul></li><li>C</li></ul>',
    ],
    [
      'the number with which a list begins',
      '<ol start=5><li>A</li></ol><p>x</p><ol><li value=10>B</li><li>C</li></ol>',
      '<ol 5><li>A</li></ol><p>x</p><ol 10><li>B</li><li>C</li></ol>',
    ],
    [
      'a list after a list',
      '<ul><li>A</li></ul><ul><li>B</li></ul><ul><li>C</li></ul>',
      '<ul><li>A</li></ul><ul><li>B</li></ul><ul><li>C</li></ul>',
    ],
    [
      'a list that begins with 3 in an item',
      '<ul><li>A<ol start=3><li>B</li></ol></li></ul>',
      '<ul><li>A<ol 3><li>B</li></ol></li></ul>',
    ],
    [
      'the states of tasks',
      '<ul class=task-list><li><input type=checkbox disabled checked> A</li><li><input type=checkbox disabled> B</li></ul>',
      '<ul><li x>A</li><li o>B</li></ul>',
    ],
    [
      'the states of tasks by ARIA',
      '<ul><li class=task><span role=checkbox aria-checked=true></span> A</li><li class=task><span role=checkbox></span> B</li></ul>',
      '<ul><li x>A</li><li o>B</li></ul>',
    ],
    [
      'blocks of an item',
      '<ol><li><p>A</p><pre><code class=language-sh>b\nc</code></pre><blockquote>d</blockquote></li><li>E</li></ol>',
      '<ol 1><li>A<pre sh>b\nc</pre><quote><p>d</p></quote></li><li>E</li></ol>',
    ],
    [
      'a card in an item',
      '<ul><li><a href=/p><img src=/i.png alt=I><h2>Rope</h2><span>€ 6</span></a></li><li><h3>Tar</h3>€ 7</li></ul>',
      '<ul><li><img /i.png I><h2><a /p>Rope</a></h2><p>€ 6</p></li><li><h3>Tar</h3><p>€ 7</p></li></ul>',
    ],
    [
      'a table in an item',
      '<ul><li>A<table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>1</td></tr></table>B</li></ul>',
      '<ul><li>A<table><tr><td>k</td><td>v</td></tr><tr><td>a</td><td>1</td></tr></table><p>B</p></li></ul>',
    ],
  ];
  const tables: readonly Case[] = [
    [
      'cells that cover rows',
      '<table><tr><th>Day</th><th>Name</th></tr><tr><td rowspan=2>Mon</td><td>Ada</td></tr><tr><td>Otto</td></tr></table>',
      '<table><tr><td>Day</td><td>Name</td></tr><tr><td>Mon</td><td>Ada</td></tr><tr><td>Mon</td><td>Otto</td></tr></table>',
    ],
    [
      'cells that cover columns',
      '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan=2>x</td><td>y</td></tr></table>',
      '<table><tr><td>A</td><td>B</td><td>C</td></tr><tr><td>x</td><td></td><td>y</td></tr></table>',
    ],
    [
      'two rows of headers',
      '<table><thead><tr><th rowspan=2>T</th><th colspan=2>P</th></tr><tr><th>N</th><th>Q</th></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>',
      '<table><tr><td>T</td><td>P N</td><td>P Q</td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    ],
    [
      'a table in a cell',
      '<table><tr><th>Team</th><th>Score</th></tr><tr><td>Reds</td><td><table><tr><td>home</td><td>3</td></tr></table></td></tr></table>',
      '<table><tr><td>Team</td><td>Score</td></tr><tr><td>Reds</td><td></td></tr></table><p><b>Reds, Score</b></p><table><tr><td>home</td><td>3</td></tr></table>',
    ],
    [
      'signs in cells',
      '<table><tr><th>a|b</th><th>c</th></tr><tr><td><code>x|y</code></td><td><a href="/q?a=1|2">l|m</a></td></tr></table>',
      '<table><tr><td>a|b</td><td>c</td></tr><tr><td><code>x|y</code></td><td><a /q?a=1%7C2>l|m</a></td></tr></table>',
    ],
    [
      'lines and lists in cells',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1<br>2</td><td><ul><li>x</li><li>y</li></ul></td></tr></table>',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>1<br>2</td><td>- x<br>- y</td></tr></table>',
    ],
    [
      'a foot before the body',
      '<table><thead><tr><th>M</th><th>S</th></tr></thead><tfoot><tr><td>Sum</td><td>3</td></tr></tfoot><tbody><tr><td>Jan</td><td>3</td></tr></tbody></table>',
      '<table><tr><td>M</td><td>S</td></tr><tr><td>Jan</td><td>3</td></tr><tr><td>Sum</td><td>3</td></tr></table>',
    ],
    [
      'what stands outside of its cells',
      '<table class=loose><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table><script>{ const [t] = document.getElementsByClassName("loose"); const p = document.createElement("p"); p.textContent = "below"; t.append(p); t.rows[1].append("2"); }</script>',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr><tr><td>below</td><td></td></tr></table>',
    ],
    [
      'a table by ARIA',
      '<div role=table><div role=row><span role=columnheader>C</span><span role=columnheader>P</span></div><div role=row><span role=cell>Oslo</span><span role=cell>7</span></div></div>',
      '<table><tr><td>C</td><td>P</td></tr><tr><td>Oslo</td><td>7</td></tr></table>',
    ],
    [
      'a grid by ARIA with boxes around its rows and cells',
      '<div role=grid><div><div role=row><div><span role=columnheader>C</span></div><span role=columnheader>P</span></div></div><div><div><div role=row><div role=gridcell>Oslo</div><div role=gridcell>7</div></div></div></div></div>',
      '<table><tr><td>C</td><td>P</td></tr><tr><td>Oslo</td><td>7</td></tr></table>',
    ],
    [
      'symbols in cells',
      '<table><tr><th>a</th><th>b</th></tr><tr><td><svg aria-label=Yes width=9 height=9></svg></td><td><i class=no title=No></i></td></tr></table>',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>Yes</td><td>No</td></tr></table>',
    ],
    [
      'stars and controls in cells',
      '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td><span title=3.5><i></i><i></i></span></td><td><label><input type=checkbox checked></label></td><td><select><option>x<option selected>y</select></td></tr></table>',
      '<table><tr><td>a</td><td>b</td><td>c</td></tr><tr><td>3.5</td><td>☑</td><td>y</td></tr></table>',
    ],
    [
      'symbols of style sheets in cells',
      '<style>.y::before{content:"✔"}</style><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><i class=y></i></td></tr></table>',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td><i>✔</i></td></tr></table>',
    ],
    [
      'a symbol with a word for screen readers',
      '<table><tr><th>a</th><th>b</th></tr><tr><td><i class=ok></i><span style="position:absolute;width:1px;height:1px;overflow:hidden">Full</span></td><td>1</td></tr></table>',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>Full</td><td>1</td></tr></table>',
    ],
    [
      'no table for one row of boxes',
      '<table><tr><td></td><td><div>user1</div><div>A comment.</div></td></tr></table>',
      '<p>user1</p><p>A comment.</p>',
    ],
  ];
  const code: readonly Case[] = [
    ['line breaks in pre', '<pre>a<br>b<br>   c</pre>', '<pre>a\nb\n   c</pre>'],
    [
      'a box of line numbers beside the code',
      '<div><div><div>1</div><div>2</div></div><pre><code class=language-sh><div>ls</div><div>pwd</div></code></pre></div>',
      '<pre sh>ls\npwd</pre>',
    ],
    [
      'a table of line numbers',
      '<div class=language-ruby><div class=highlight><pre class=highlight><code><table><tr><td class=gutter><pre>1\n2\n</pre></td><td><pre>puts 1\nputs 2\n</pre></td></tr></table></code></pre></div></div>',
      '<pre ruby>puts 1\nputs 2</pre>',
    ],
    [
      'counted numbers in lines',
      '<pre><code class=language-go><span class=x>1</span><span>package a\n</span><span class=x>2</span><span>func b\n</span></code></pre>',
      '<pre go>package a\nfunc b</pre>',
    ],
    [
      'numbers in boxes of their own, and a button',
      '<pre><button></button><code class=language-jsx><span class=linenumber style="display:inline-block">1</span><span>let a\n</span><span class=linenumber style="display:inline-block">2</span><span>let b</span></code></pre>',
      '<pre jsx>let a\nlet b</pre>',
    ],
    [
      'a table in code',
      '<pre><code class=language-go><table class=hljs-ln><tr><td class=hljs-ln-numbers data-line-number=1></td><td>package a</td></tr><tr><td class=hljs-ln-numbers data-line-number=2></td><td>func b</td></tr></table></code></pre>',
      '<pre go>package a\nfunc b</pre>',
    ],
    [
      'a table of code without pre',
      '<table class=highlight><tr><td class=blob-num data-line-number=1></td><td class=blob-code>a:</td></tr><tr><td class=blob-num data-line-number=2></td><td class=blob-code>  b</td></tr></table><div class="syntaxhighlighter php"><table><tr><td class=gutter><div>1</div><div>2</div></td><td><div><div><code>echo 1;</code></div><div><code>echo 2;</code></div></div></td></tr></table></div>',
      '<pre>a:\n  b</pre><pre php>echo 1;\necho 2;</pre>',
    ],
    [
      'a header with a button',
      '<div class=box data-language=ts><div><span>ts</span><button>Copy</button></div><pre><code>let a</code></pre></div>',
      '<pre ts>let a</pre>',
    ],
    [
      'a bar with a button in the code',
      '<pre><code class=language-js>a()</code><div class=toolbar><span>js</span><a role=button>Copy</a></div></pre>',
      '<pre js>a()</pre>',
    ],
    [
      'numbers of the lines in a pre beside the code',
      '<div style="display:flex"><pre>1\n2</pre><pre><code>a\nb</code></pre></div>',
      '<pre>a\nb</pre>',
    ],
    [
      'code that is numbers, before other code',
      '<pre>1</pre><pre>print(2)</pre><pre>1\n2</pre><pre>a\nb</pre><div style="display:flex"><pre>1</pre><pre>c</pre></div>',
      '<pre>1</pre><pre>print(2)</pre><pre>1\n2</pre><pre>a\nb</pre><pre>1</pre><pre>c</pre>',
    ],
    [
      'the bar of code in a box with it',
      '<pre><div><div><span>js</span><button>Copy</button></div><div><code class=language-js>a()</code></div></div></pre>',
      '<pre js>a()</pre>',
    ],
    ['lines in a line', '<p><code>a<br>b</code></p>', '<p><code>a</code><br><code>b</code></p>'],
    [
      'an empty line that is an element',
      '<pre><div>a</div><div><div>\n</div></div><div>b</div></pre>',
      '<pre>a\n\nb</pre>',
    ],
    ['lines by style', '<code style="display:block;white-space:pre">a\n  b</code>', '<pre>a\n  b</pre>'],
    [
      'boxes that style shows as code',
      '<div class=m style="white-space:pre;font-family:monospace">a:\n  b: <i>c</i></div><div style="white-space:pre-wrap;font-family:monospace"><div>if a:</div><div>    b</div></div><div style="white-space:pre-wrap;font-family:monospace"><p>d</p>   e</div>',
      '<pre>a:\n  b: c</pre><pre>if a:\n    b</pre><p>d</p><p>e</p>',
    ],
    [
      'numbers beside the lines in rows',
      '<pre><code><span style="display:flex"><span>1</span><span>a\n</span></span><span style="display:flex"><span>2</span><span>  b\n</span></span></code></pre>',
      '<pre>a\n  b</pre>',
    ],
    [
      'code without the numbers of a style sheet',
      '<style>.l::before{counter-increment:l;content:counter(l)}</style><pre><code><span class=l>a</span>\n<span class=l>b</span></code></pre>',
      '<pre>a\nb</pre>',
    ],
    ['fences in code', '<pre><code>```js\na\n```</code></pre>', '<pre>```js\na\n```</pre>'],
    [
      'ticks in a code span',
      '<p><code>a `b` c</code> and <code>`d`</code></p>',
      '<p><code>a `b` c</code> and <code>`d`</code></p>',
    ],
  ];
  const lines: readonly Case[] = [
    ['lines that only style keeps', '<div style="white-space:pre-line">a\nb</div>', '<p>a<br>b</p>'],
    [
      'signs that mean nothing',
      '<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>* e * _f_ g_h [i](j) &lt;k&gt; &amp;amp; \\ `l` ~~m~~ ![n]</p><p>===</p>',
      '<p># a</p><p>- b</p><p>1. c</p><p>> d</p><p>* e * _f_ g_h [i](j) <k> &amp; \\ `l` ~~m~~ ![n]</p><p>===</p>',
    ],
    [
      'emphasis with white space',
      '<p>a<b> b </b>c, <i>d</i><b>e</b>, <b>f</b><b>g</b>, h<b>i</b>j</p>',
      '<p>a <b>b</b> c, <i>d</i><b>e</b>, <b>fg</b>, h<b>i</b>j</p>',
    ],
    [
      'emphasis that ends with a sign before a word',
      '<p><b>Note:</b>text <b>(x)</b>y</p>',
      '<p><b>Note</b>:text <b>(x</b>)y</p>',
    ],
    ['a heading without its control', '<h2><span>a</span><button>Copy link</button></h2>', '<h2>a</h2>'],
    [
      'a heading and a list by ARIA',
      '<div role=heading aria-level=3>a</div><div role=list><div role=listitem>b</div></div>',
      '<h3>a</h3><ul><li>b</li></ul>',
    ],
    [
      'the link that edits a section',
      '<h2><span>a</span><span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><h3><span>b</span> <span class=credit-link>c</span></h3>',
      '<h2>a</h2><h3>b c</h3>',
    ],
    [
      'the raised cents of a price in parts',
      '<p><b>€ <u>1.</u><u>299</u><sup>50</sup></b></p>',
      '<p><b>€ 1.299,50</b></p>',
    ],
    ['the raised cents of a price', '<p><b>€ 1.299<sup>50</sup></b></p>', '<p><b>€ 1.299,50</b></p>'],
    [
      'the cents of a price above its currency',
      '<div style="display:flex"><span>39</span><div style="display:flex;flex-direction:column"><span style="font-size:9px">95</span><span style="font-size:9px">€</span></div></div>',
      '<p>39.95€</p>',
    ],
    ['raised cents with their point', '<p>49<sup>,95</sup> €</p>', '<p>49,95 €</p>'],
    [
      'the cents of a price in a block of their own',
      '<div style="display:flex"><div style="font-size:9px">$</div> <div style="font-size:30px">24</div>\n<div style="font-size:9px"> <i>99</i></div></div>',
      '<p>$24.99</p>',
    ],
    ['bars', '<p><meter value=0.3></meter> <progress value=6 max=10></progress></p>', '<p>0.3 6 / 10</p>'],
    [
      'a frame without text',
      '<p>a</p><iframe title=Map src="/none.png" width=99 height=99></iframe>',
      '<p>a</p><p><a /none.png>Map</a></p>',
    ],
    ['a line break in a heading', '<h2>a<br>b</h2>', '<h2>a b</h2>'],
    [
      'links',
      '<p>Hi!<a href="/a_(b)">x [y]</a> <a href="/c d">z</a></p>',
      '<p>Hi!<a /a_(b)>x [y]</a> <a /c%20d>z</a></p>',
    ],
    [
      'links with symbols alone',
      '<p>On <a href=/m aria-label=Mail><svg width=9 height=9></svg></a> and <a href=/r title=Feed><i class=rss></i></a></p>',
      '<p>On <a /m>Mail</a> and <a /r>Feed</a></p>',
    ],
    [
      'headings by ARIA',
      '<div role=heading aria-level=3>A</div><p>a</p><p role=heading>B</p>',
      '<h3>A</h3><p>a</p><h2>B</h2>',
    ],
    [
      'names of tabs',
      '<div role=tablist><button role=tab aria-controls=t1>One</button><button role=tab aria-controls=t2>Two</button></div><div role=tabpanel id=t1>a</div><div role=tabpanel id=t2 hidden>b</div>',
      '<p><b>One</b></p><p>a</p><p><b>Two</b></p><p>b</p>',
    ],
    [
      'tabs that share a panel',
      '<div role=tablist><p><span role=tab aria-controls=t3>Day</span></p><p><span role=tab aria-controls=t3 aria-selected=true>Week</span></p></div><div role=tabpanel id=t3>a</div>',
      '<p>Day</p><p>Week</p><p><b>Week</b></p><p>a</p>',
    ],
    [
      'tabs in a shadow tree',
      '<div><template shadowrootmode=open><p role=tab aria-controls=t4>One</p><div role=tabpanel id=t4>a</div></template></div>',
      '<p><b>One</b></p><p>a</p>',
    ],
    [
      'tabs whose panels are not read',
      '<p role=tab aria-controls=t5>One</p><div role=dialog><div role=tabpanel id=t5 hidden>a</div></div>',
      '<p>One</p>',
    ],
    [
      'counters of style sheets',
      '<style>.c{counter-reset:a}.c h2{counter-reset:b}.c h2::before{counter-increment:a;content:"§ " counter(a) " "}.c h3::before{counter-increment:b;content:counters(a,".") "." counter(b, lower-roman) " "}.c h4{display:none;counter-increment:a}.c i{counter-increment:z 2}.c p::after{content:" (" counter(z) ")"}</style><div class=c><h2>A</h2><h3>B</h3><h3>C</h3><h4>x</h4><h2>D</h2><h3>E</h3><p>f<i>g</i></p></div>',
      '<h2>§ 1 A</h2><h3>1.i B</h3><h3>1.ii C</h3><h2>§ 2 D</h2><h3>2.i E</h3><p>f<i>g</i> (2)</p>',
    ],
    [
      'numbers of items by style sheets',
      '<style>.n{list-style:none;counter-reset:n 4}.n>li{counter-increment:n}.n>li::before{content:counter(n) "."}.s>li::before{content:"Step " counter(n) ":";margin-right:1em}.u{counter-reset:n}.u>li{counter-increment:n}</style><ol class=n><li>A<ol class=n><li>B</li></ol></li><li>C</li></ol><ul class="s u"><li>D</li></ul>',
      '<ol 5><li>A<ol 5><li>B</li></ol></li><li>C</li></ol><ul><li>Step 1: D</li></ul>',
    ],
    [
      'attributes that style sheets show',
      '<style>.b::before{content:attr(data-b) ": "}.g::after{content:attr(data-g);position:absolute}.h::after{content:attr(data-h);opacity:0}.i::after{content:attr(data-h);position:absolute;transform:translateX(9px) scaleY(0)}@media print{.p::after{content:attr(href)}}</style><p class=b data-b=From>Oslo</p><p class=g data-g=Oslo>Oslo</p><p class=h data-h=Tip>Oslo</p><p class=i data-h=Tip>Oslo</p><p><a class=p href=/a>Oslo</a></p>',
      '<p>From: Oslo</p><p>Oslo</p><p>Oslo</p><p>Oslo</p><p><a /a>Oslo</a></p>',
    ],
    [
      'a source that is a link in a quote',
      '<blockquote><p>a</p><footer><a href=/s>B</a></footer></blockquote>',
      '<quote><p>a</p><p><a /s>B</a></p></quote>',
    ],
    [
      'quotes',
      '<blockquote><p>a</p><blockquote>b</blockquote><footer>— <cite>C</cite></footer></blockquote>',
      '<quote><p>a</p><quote><p>b</p></quote><p>— <i>C</i></p></quote>',
    ],
  ];
  const all = [...lists, ...tables, ...code, ...lines];
  /** Addresses have no origin. */
  let shapes: readonly string[] = [];
  beforeAll(async () => {
    const parts = await harness.scrapeParts(all.map(([, markup]) => markup));
    shapes = parts.map(({ markdown }) => markdownShape((markdown ?? '').replaceAll(harness.address(''), '')));
  });

  it.each(all.map(([what, , shape], at) => [what, shape, at] as const))('%s', (_, shape, at) => {
    expect(shapes[at]).toBe(shape);
  });
});

describe('TeX stays as it is in the Markdown', () => {
  const formulas = [
    [
      'of an annotation',
      '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\sum_{i}^n x_i</annotation></semantics></math> b</p>',
      'a $\\sum_{i}^n x_i$ b',
    ],
    [
      'of a script of MathJax 2',
      '<p>a <span class=MathJax><span>y</span><span>2</span></span><script type="math/tex">y^2</script> b</p>',
      'a $y^2$ b',
    ],
    [
      'of a drawing of MathJax 4',
      '<p>a <mjx-container><mjx-math data-latex="x^2"></mjx-math></mjx-container> b</p>',
      'a $x^2$ b',
    ],
    ['of a picture', '<p>a <img src=/t.png alt="\\frac{x}{2}" width=9 height=9> b</p>', 'a $\\frac{x}{2}$ b'],
    [
      'in an environment',
      '<p>\\begin{align}x_1 &amp;= 2 \\\\ y_2\\end{align}</p>',
      '\\begin{align}x_1 &= 2 \\\\ y_2\\end{align}',
    ],
    [
      'that no script has drawn',
      '<p>a \\( \\alpha_1 \\) b $$\\int_0^1 x\\,dx$$ and $5 to $10</p>',
      'a $\\alpha_1$ b $$\\int_0^1 x\\,dx$$ and $5 to $10',
    ],
  ] as const;
  it('of annotations, scripts, drawings, pictures and plain text', async () => {
    const parts = await harness.scrapeParts(formulas.map(([, markup]) => markup));
    for (const [at, [what, , markdown]] of formulas.entries())
      expect(parts[at]?.markdown, what).toBe(markdown);
  });

  it('and the plain text tells raised expressions, lists in lists and pictures that are all of a cell', async () => {
    const { text } = await harness.scrapeMarkup(
      '<main><p>10<sup>n+1</sup> 2<sup>2<sup>3</sup></sup></p><ul><li>A</li><ul><li>B</li></ul></ul><table><tr><th>a</th><td><img src=/y.svg alt=Yes width=9 height=9></td></tr></table></main>',
    );
    expect(text).toBe('10^(n+1) 2^(2^3)\n\n- A\n- B\n\na\tYes');
  });

  it('and a formula without TeX is read as text in one line', async () => {
    const { markdown, text } = await harness.scrapeMarkup(
      '<main><p>a <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> b <math><msqrt><mi>x</mi></msqrt></math></p></main>',
    );
    expect([markdown, text]).toEqual(['a 1/2 b √x', 'a 1/2 b √x']);
  });
});
