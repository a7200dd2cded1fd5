"""The steps of the Learn page, one module each: controls at the left, charts at the right.

`draw(left, right)` fills both columns. All but `coupling` need torch, so the page imports them when it draws them.
"""
