-- Defines what is there without `setup`: `:Reverie`, and the pages that its lists lead to.

if vim.g.loaded_reverie then
  return
end
vim.g.loaded_reverie = true

if vim.fn.has("nvim-0.11") == 0 then
  require("reverie.program").too_old()
  return
end

vim.api.nvim_create_user_command("Reverie", function(call)
  require("reverie.commands").run(call)
end, {
  nargs = "*",
  range = true,
  desc = "Memories: search, remember, useful, forget, why, …; dreams and plans: dreamt, plans, …",
  complete = function(...)
    return require("reverie.commands").complete(...)
  end,
})

vim.api.nvim_create_autocmd("BufReadCmd", {
  group = vim.api.nvim_create_augroup("reverie.pages", { clear = true }),
  pattern = "reverie://*",
  callback = function(event)
    require("reverie.pages").open(event.buf, event.match)
  end,
})
