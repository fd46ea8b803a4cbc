/** Small pages like those of real sites, with jQuery UI or plain scripts. Each has one goal and sets its title to `won` when it is reached. */
const head = `<meta charset="utf-8"><link rel="stylesheet" href="/jquery-ui.css"><script src="/jquery.js"></script><script src="/jquery-ui.js"></script>
<style>#area{width:160px;font:11px sans-serif}</style>`;
const page = (body: string): string =>
  `<!doctype html><title>task</title>${head}<div id="area">${body}</div>`;
const win = `document.title='won'`;

export const TASK_PAGES: Readonly<Record<string, string>> = {
  '/datepicker':
    page(`<input id="d" readonly aria-label="Date"><button onclick="if($('#d').val()==='05/17/2016')${win}">Submit</button>
    <script>$('#d').datepicker({defaultDate:'03/01/2016'})</script>`),
  '/slider':
    page(`<div id="s"></div><p id="val">0</p><button onclick="if($('#s').slider('value')===37)${win}">Submit</button>
    <script>$('#s').slider({min:-10,max:90,value:0,slide:(e,u)=>$('#val').text(u.value)})</script>`),
  '/spinner': page(
    `<input id="n" value="0"><button onclick="if($('#n').val()==='3')${win}">Submit</button><script>$('#n').spinner()</script>`,
  ),
  '/autocomplete':
    page(`<label>Place <input id="t"></label><button onclick="if($('#t').val()==='Barbados')${win}">Submit</button>
    <script>$('#t').autocomplete({source:['Bahamas','Barbados','Brazil'],delay:0})</script>`),
  '/accordion': page(
    `<div id="a"><h3>One</h3><div>first</div><h3>Two</h3><div><span onclick="${win}">deep word</span></div></div><script>$('#a').accordion()</script>`,
  ),
  '/tabs':
    page(`<div id="t"><ul><li><a href="#x">Tab #1</a></li><li><a href="#y">Tab #2</a></li></ul><div id="x">one</div><div id="y">two <a class="l">here</a></div></div>
    <script>$('#t').tabs();$('.l').on('click',()=>{${win}})</script>`),
  '/menu':
    page(`<ul id="m"><li><div>Save</div></li><li><div>Export</div><ul><li><div>As PDF</div></li><li><div>As Text</div></li></ul></li></ul>
    <script>$('#m').menu({select:(e,u)=>{if(u.item.text()==='As Text')${win}}})</script>`),
  '/dialog': page(
    `<div id="d" title="A box"><p>Close me</p></div><script>$('#d').dialog({close:()=>{${win}}})</script>`,
  ),
  '/sortable':
    page(`<ul id="l" style="width:120px">${['Ada', 'Bob', 'Cyd'].map(n => `<li style="height:24px;border:1px solid">${n}</li>`).join('')}</ul>
    <button onclick="if($('#l').text()==='BobAdaCyd')${win}">Submit</button><script>$('#l').sortable()</script>`),
  '/span-in-text':
    page(`<p>Lorem ipsum <span class="w">dolor</span> sit <span class="w">amet</span> consectetur.</p>
    <script>$('.w').on('click',e=>{if($(e.target).text()==='amet')${win}})</script>`),
  '/colors':
    page(`${['red', 'green', 'blue'].map(c => `<div class="c" data-c="${c}" style="display:inline-block;width:30px;height:30px;background:${c}"></div>`).join('')}
    <script>$('.c').on('click',e=>{if($(e.target).data('c')==='blue')${win}})</script>`),
  '/shapes':
    page(`<svg width="150" height="120"><circle cx="20" cy="20" r="12" fill="red"/><rect x="50" y="8" width="24" height="24" fill="blue"/>
    <polygon points="110,30 100,10 120,10" fill="green"/><circle cx="30" cy="80" r="6" fill="blue"/></svg>
    <script>document.querySelector('svg').addEventListener('click',e=>{if(e.target.tagName==='rect')${win}})</script>`),
  '/inbox':
    page(`<style>.mail{position:relative;height:30px}.mail i{position:absolute;top:4px;width:16px;height:16px;background:gray}.star{right:4px}.trash{right:28px}</style>
    ${['Ada', 'Bob'].map(n => `<div class="mail" data-n="${n}"><b>${n}</b> wrote <i class="star"></i><i class="trash"></i></div>`).join('')}
    <script>$('.mail').on('click',()=>{document.title='opened'});$('.trash').on('click',e=>{e.stopPropagation();if($(e.target).parent().data('n')==='Bob')${win}})</script>`),
  '/social':
    page(`${['ann', 'ben'].map(n => `<div class="post"><span class="user">@${n}</span><p>Words of ${n}</p><span class="reply"></span><span class="retweet"></span><span class="like" data-n="${n}"></span></div>`).join('')}
    <style>.post span{display:inline-block;min-width:12px;height:12px;background:#ccc;margin:2px}</style>
    <script>$('.like').on('click',e=>{if($(e.target).data('n')==='ben')${win}})</script>`),
  '/anchors': page(
    `<p>Go <a class="g">there</a> or <a class="b">elsewhere</a>.</p><script>$('.b').on('click',()=>{${win}})</script>`,
  ),
  '/tree':
    page(`<ul><li class="f">Books<ul style="display:none"><li class="leaf">Novel</li><li class="leaf">Atlas</li></ul></li><li class="f">Films</li></ul>
    <script>$('.f').on('click',e=>{if(e.target===e.currentTarget)$(e.target).children('ul').toggle()});$('.leaf').on('click',e=>{e.stopPropagation();if($(e.target).text()==='Atlas')${win}})</script>`),
  '/list':
    page(`<select multiple size="3" id="s">${['Ann', 'Ben', 'Cid', 'Dee'].map(n => `<option>${n}</option>`).join('')}</select>
    <button onclick="if(String($('#s').val())==='Ben,Dee')${win}">Submit</button>`),
  '/grid':
    page(`<table>${[0, 1, 2].map(r => `<tr>${[0, 1, 2].map(c => `<td class="cell" data-at="${r}${c}" style="width:20px;height:20px;border:1px solid"></td>`).join('')}</tr>`).join('')}</table>
    <script>$('.cell').on('click',e=>{if($(e.target).data('at')==='11'||$(e.target).attr('data-at')==='11')${win}})</script>`),
  '/editable': page(
    `<div id="e" contenteditable style="border:1px solid;min-height:20px"></div><button onclick="if($('#e').text()==='note')${win}">Submit</button>`,
  ),
  '/cover':
    page(`<div id="cover" style="position:absolute;inset:0;background:#eee;cursor:pointer;z-index:9">START</div><button onclick="${win}">Go</button>
    <script>$('#cover').on('click',()=>$('#cover').remove())</script>`),
  '/checks': page(
    `${['ab', 'cd', 'ef'].map(n => `<label><input type="checkbox" value="${n}">${n}</label><br>`).join('')}<button onclick="if($(':checked').map((i,e)=>e.value).get().join()==='ab,ef')${win}">Submit</button>`,
  ),
  '/hover-menu':
    page(`<style>.sub{display:none}.top:hover .sub{display:block}</style><div class="top">File<div class="sub"><div class="it">Open</div><div class="it">Close</div></div></div>
    <script>$('.it').on('click',e=>{if($(e.target).text()==='Close')${win}})</script>`),
  '/drop':
    page(`<div id="a" style="width:40px;height:20px;background:#fc0">Box A</div><div id="b" style="width:80px;height:60px;margin-top:20px;border:1px solid">Target</div>
    <script>$('#a').draggable();$('#b').droppable({drop:()=>{${win}}})</script>`),
  '/modal-form':
    page(`<button id="o">Log in</button><div id="m" style="display:none;position:fixed;inset:20px;background:#fff;border:1px solid"><label>User <input id="u"></label><label>Password <input type="password" id="p"></label><button id="k">OK</button></div>
    <script>$('#o').on('click',()=>$('#m').show());$('#k').on('click',()=>{if($('#u').val()==='ada'&&$('#p').val()==='x1')${win}})</script>`),
};
